package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// essential are packages without which a system does not start, or nobody can log in or install anything.
const essential = "apt base bash bash-minimal busybox coreutils dash dnf dpkg e2fsprogs filesystem glibc grub grub-pc grub2 init kernel kernel-core libc-bin libc6 linux linux-image login mount musl musl-utils network-manager networkmanager openssh openssh-server openssl pacman passwd perl-base python3 python3-minimal rpm sh sudo systemd systemd-sysv util-linux yum zypper"

// packageRemovals are the verbs and flags by which the systems' package managers take packages away.
const packageRemovals = "autopurge autoremove del erase purge remove rm uninstall -P -R -Rc -Rcc -Rcns -Rd -Rdd -Rn -Rns -Rs -Rsc -Rsn -Rsnc -e -r --erase --purge --remove"

// regardless are the flags by which a package goes whatever needs it.
const regardless = "--nodeps --force-all -Rdd -Rcc --force-depends --allow-remove-essential --purge-config"

// systemPackages reads a package manager of the system. A package that is taken away can be installed again, unless that
// takes what makes installing possible, whatever others need, or all there is.
func (r *reader) systemPackages(c *shell.Command) {
	r.grammar(c)
	removes := false
	for i, a := range c.Args {
		removes = removes || in(a.Text, packageRemovals) && (i == 0 || strings.HasPrefix(c.Args[0].Text, "-"))
	}
	if !removes || dry(words(c.Args)) || hasArg(c.Args, "-s", "--just-print", "--no-act", "--recon", "--print", "-p") {
		return
	}
	target := ""
	unknown := viaAny(c, "xargs", "parallel")
	for _, a := range c.Args {
		name := strings.ToLower(strings.TrimRight(a.Text, "*"))
		switch {
		case in(name, essential) && !in(name, packageRemovals), a.Text == "*":
			target = a.Text
		case in(a.Text, regardless):
			target = "what others need"
		case strings.HasPrefix(a.Text, "$(") || strings.HasPrefix(a.Text, "`"):
			unknown = unknown || len(c.Inputs) > 0
		}
	}
	if unknown && target == "" && r.listsAll(c) {
		target = "every package that is listed"
	}
	if target != "" {
		r.tell(Delete, VerbDestroy, strings.Join(words(c.Args), " "), target)
	}
}

// listsAll: another command of the line lists what is installed.
func (r *reader) listsAll(c *shell.Command) bool {
	for i := range r.cmds[:min(r.at, len(r.cmds))] {
		p := &r.cmds[i]
		if (p.Group == c.Group || containsInt(c.Inputs, i)) && (p.Name == c.Name || in(p.Name, "dpkg dpkg-query rpm apt-mark")) {
			return true
		}
	}
	return false
}
