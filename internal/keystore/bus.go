//go:build unix && !darwin

package keystore

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
)

// reachable says that a session bus is there. Without one the library would start dbus-launch, which takes seconds and
// leaves a daemon behind; an address can name a program to start as well.
func reachable(getenv func(string) string) bool {
	if addr := getenv("DBUS_SESSION_BUS_ADDRESS"); addr != "" {
		return strings.HasPrefix(addr, "unix:") && !strings.Contains(addr, "unixexec:")
	}
	info, err := os.Stat("/run/user/" + strconv.Itoa(os.Getuid()) + "/bus")
	return err == nil && info.Mode().Type() == os.ModeSocket
}

// absent says that the bus works and nobody on it keeps secrets.
func absent(err error) bool {
	var e dbus.Error
	return errors.As(err, &e) && e.Name == "org.freedesktop.DBus.Error.ServiceUnknown"
}
