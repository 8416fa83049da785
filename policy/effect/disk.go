package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// diskCmdlets are those of PowerShell that empty a disk or a part of it.
const diskCmdlets = "clear-disk format-volume initialize-disk remove-partition reset-physicaldisk"

// erasing are the words by which a program that also looks empties a disk, a volume or its keys.
func erasing(program string) string {
	switch program {
	case "badblocks":
		return "-w"
	case "cryptsetup":
		return "luksErase erase luksFormat luksKillSlot luksRemoveKey luksRemoveUUID"
	case "hdparm":
		return "--security-erase --security-erase-enhanced --trim-sector-ranges --make-bad-sector --dco-restore --sanitize-block-erase --sanitize-crypto-scramble --sanitize-overwrite"
	case "mdadm":
		return "--zero-superblock"
	case "nvme":
		return "format sanitize write-zeroes dsm delete-ns"
	case "sgdisk":
		return "-z -Z -o -d -g -l -n -G --zap --zap-all --clear --delete --mbrtogpt --load-backup --new"
	case "wipefs":
		return "-a -o -af -fa --all --offset"
	}
	return ""
}

// disk reads programs whose job is a whole disk.
func (r *reader) disk(c *shell.Command) {
	if verbs := erasing(c.Name); verbs != "" {
		if r.changes = true; !anyWord(c.Args, verbs) {
			return
		}
	} else if hasArg(c.Args, "-l", "--list", "-p", "--print", "print", "-n", "--no-act", "--dump", "-d") || hasFold(c.Args, "-whatif") {
		return
	}
	image := -1
	for i, a := range c.Args {
		t := r.written(c, a)
		if t.place == Device {
			r.add(Act{Kind: Overwrite, Target: t.path, Place: Device, How: c.Name})
			return
		}
		if t.place == InProject && !isFlag(a.Text) && strings.ContainsAny(a.Text, "./") {
			image = i
		}
		if c.Name == "format" && len(a.Text) == 2 && a.Text[1] == ':' {
			r.add(Act{Kind: Overwrite, Target: a.Text, Place: Device, How: "format"})
			return
		}
	}
	if image >= 0 && strings.HasPrefix(c.Name, "mkfs") { // a file system in a file of the project: a disk's image
		r.writes(c, r.written(c, c.Args[image]), Overwrite, file{})
		return
	}
	if strings.HasPrefix(c.Name, "mkfs") || strings.HasSuffix(c.Name, "remove") || in(c.Name, "diskpart "+diskCmdlets) {
		r.tell(Overwrite, DropData, c.Name, "")
	}
}

// anyWord says that one of the arguments, up to its =, is one of the words.
func anyWord(args []shell.Word, list string) bool {
	for _, a := range args {
		if w, _, _ := strings.Cut(a.Text, "="); in(w, list) {
			return true
		}
	}
	return false
}

func (r *reader) diskutil(c *shell.Command) {
	verb := ""
	if len(c.Args) > 0 {
		verb = strings.ToLower(c.Args[0].Text)
	}
	if in(verb, "erasedisk erasevolume reformat zerodisk randomdisk secureerase partitiondisk") {
		r.add(Act{Kind: Overwrite, Place: Device, Target: at(words(c.Args), len(c.Args)-1), How: "diskutil " + verb})
	}
	if verb == "apfs" && len(c.Args) > 1 && strings.HasPrefix(strings.ToLower(c.Args[1].Text), "delete") {
		r.add(Act{Kind: Overwrite, Place: Device, Target: at(words(c.Args), len(c.Args)-1), How: "diskutil apfs delete"})
	}
	r.changes = true
}
