package config

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// ErrNoHome says that neither the gate's own variables nor HOME name a folder. There is no fallback: a shared temporary
// folder would let others write the gate's settings.
var ErrNoHome = errors.New("no home folder: HOME is not set; set it, or STEPGATE_CONFIG_HOME and STEPGATE_STATE_HOME")

// Homes gives the config folder and the state folder. $STEPGATE_CONFIG_HOME and $STEPGATE_STATE_HOME are the folders
// themselves; otherwise they are stepgate/ below the XDG folders, which default to ~/.config and ~/.local/state on every
// unix, and to the roaming and local application data on Windows.
func Homes(getenv func(string) string) (config, state string, err error) {
	configBase, stateBase := []string{".config"}, []string{".local", "state"}
	configRoot, stateRoot := getenv("HOME"), getenv("HOME")
	if runtime.GOOS == "windows" {
		configRoot, stateRoot = getenv("AppData"), getenv("LocalAppData")
		configBase, stateBase = nil, nil
	}
	config, err1 := home(getenv, "STEPGATE_CONFIG_HOME", "XDG_CONFIG_HOME", configRoot, configBase)
	state, err2 := home(getenv, "STEPGATE_STATE_HOME", "XDG_STATE_HOME", stateRoot, stateBase)
	if err1 == nil {
		err1 = err2
	}
	return config, state, err1
}

func home(getenv func(string) string, own, xdg, root string, base []string) (string, error) {
	if dir := getenv(own); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", errors.New(own + " is not an absolute path")
		}
		return filepath.Clean(dir), nil
	}
	// The XDG specification has relative paths ignored.
	if dir := getenv(xdg); filepath.IsAbs(dir) {
		return filepath.Join(dir, "stepgate"), nil
	}
	if !filepath.IsAbs(root) {
		return "", ErrNoHome
	}
	return filepath.Join(append(append([]string{root}, base...), "stepgate")...), nil
}

// AccountHome is this user's home folder by the system's own list, whatever the environment says; empty where there is
// no such list. Package os/user would link the C library into a default build.
func AccountHome() string {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return ""
	}
	uid := strconv.Itoa(os.Getuid())
	for line := range strings.Lines(string(b)) {
		// name:password:uid:gid:comment:home:shell
		if field := strings.Split(line, ":"); len(field) == 7 && field[2] == uid {
			return field[5]
		}
	}
	return ""
}
