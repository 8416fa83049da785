package effect

import (
	"strings"
	"testing"
)

// heredoc is a shell line that writes a file.
func heredoc(file string, lines ...string) string {
	return "mkdir -p $(dirname " + file + ") && cat > " + file + " <<'DONE'\n" + strings.Join(lines, "\n") + "\nDONE\n"
}

// What a script does counts as far as a run of it comes there.
func TestReachedCode(t *testing.T) {
	t.Parallel()
	setup := unseenSetup + "\n" +
		heredoc("idle.py", "import shutil", "def wipe():", "    shutil.rmtree('data')", "def main():", "    print('two rows')", "main()") +
		heredoc("named.py", "import shutil", "def wipe():", "    shutil.rmtree('data')", "def main():", "    wipe()", "main()") +
		heredoc("flag.py", "import argparse, shutil", "ap = argparse.ArgumentParser()", "ap.add_argument('path')", "ap.add_argument('-f', '--force', action='store_true')", "args = ap.parse_args()",
			"if args.force:", "    shutil.rmtree(args.path)", "else:", "    print('would delete', args.path)") +
		heredoc("dry.py", "import argparse, shutil", "ap = argparse.ArgumentParser()", "ap.add_argument('--dry-run', action='store_true')", "args = ap.parse_args()", "def go():", "    if args.dry_run:", "        print('no')", "        return", "    shutil.rmtree('data')", "go()") +
		heredoc("argv.js", "const fs = require('fs')", "if (process.argv.includes('--yes')) {", "  fs.rmSync('data', { recursive: true })", "} else {", "  console.log('say --yes')", "}") +
		heredoc("idle.js", "const fs = require('fs')", "const wipe = () => fs.rmSync('data', { recursive: true })", "function other() { fs.rmSync('photos', { recursive: true }) }", "console.log(1)") +
		heredoc("named.js", "const fs = require('fs')", "const wipe = () => fs.rmSync('data', { recursive: true })", "wipe()") +
		heredoc("command.py", "import click, shutil", "@click.command()", "@click.argument('folder')", "def main(folder):", "    shutil.rmtree(folder)", "main()") +
		heredoc("below/up.py", "from pathlib import Path", "ROOT = Path(__file__).resolve().parent.parent", "DATA = ROOT / 'data'", "def main():", "    for f in DATA.iterdir():", "        f.unlink()", "main()") +
		heredoc("typed.py", "import typer, shutil", "def main(target: str = typer.Option(...)):", "    shutil.rmtree(target)", "typer.run(main)") +
		heredoc("reset.mjs", "import { execa } from 'execa'", "await execa('git', ['clean', '-fdx'])") +
		heredoc("gone.ps1", "$ErrorActionPreference = 'Stop'", "Remove-Item -Path .\\data -Recurse -Force") +
		heredoc("table.py", "import shutil", "PATHS = {'built': 'out', 'kept': {'pictures': 'photos'}}", "shutil.rmtree(PATHS['built'])") +
		heredoc("table2.py", "import shutil", "PATHS = {'built': 'out', 'kept': {'pictures': 'photos'}}", "for n, p in PATHS['kept'].items():", "    shutil.rmtree(p)") +
		heredoc("lib/tidy.py", "import shutil", "def purge(p):", "    shutil.rmtree(p)", "if __name__ == '__main__':", "    purge('photos')") +
		heredoc("lib/a.py", "from tidy import purge", "purge('../data')", "purge('data')") +
		heredoc("lib/b.py", "from tidy import purge", "purge('out')") +
		heredoc("lib/c.py", "import tidy", "print(tidy)") +
		heredoc("parts/tidy.js", "const fs = require('fs')", "exports.purge = function (p) { fs.rmSync(p, { recursive: true }) }") +
		heredoc("a.js", "const { purge } = require('./parts/tidy')", "purge('data')") +
		heredoc("b.js", "const { purge } = require('./parts/tidy')", "purge('out')") +
		heredoc("same.py", "import pandas as pd", "df = pd.read_csv('data/one.csv')", "df.to_csv('data/one.csv')") +
		heredoc("other.py", "import pandas as pd", "df = pd.read_csv('data/one.csv')", "df.to_csv('data/deep/two.csv')")
	setup += heredoc("visits.py", "import ast, shutil", "class V(ast.NodeVisitor):", "    def visit_Name(self, node):", "        shutil.rmtree('data')", "V().visit(ast.parse('a'))") +
		heredoc("handed.py", "import shutil", "jobs = {}", "def on(name):", "    def keep(f):", "        jobs[name] = f", "        return f", "    return keep", "@on('x')", "def go():", "    shutil.rmtree('data')", "jobs['x']()") +
		heredoc("made.rb", "require 'fileutils'", "class A", "  def initialize(d)", "    FileUtils.rm_rf(d)", "  end", "end", "A.new('data')") +
		heredoc("missing.rb", "require 'fileutils'", "class A", "  def method_missing(name, *args)", "    FileUtils.rm_rf('data')", "  end", "end", "A.new.x") +
		heredoc("value.js", "const fs = require('fs')", "const f = function g() { fs.rmSync('data', { recursive: true }) }", "f()") +
		heredoc("exit.js", "const fs = require('fs')", "process.on('exit', function wipe() { fs.rmSync('data', { recursive: true }) })")
	setup += heredoc("job.php", "<?php", "require 'vendor/base.php';", "final class Job extends Base", "{", "    protected function step()", "    {", "        unlink('data/one.csv');", "    }", "}", "(new Job())->start();")
	heeded(t, newLab(t, setup), []string{
		`python3 named.py`, `python3 flag.py data --force`, `python3 flag.py -f data`, `python3 dry.py`, `node argv.js --yes`, `node named.js`, `python3 command.py data`, `python3 table2.py`,
		`python3 lib/a.py`, `node a.js`, `python3 same.py`, `python3 lib/tidy.py`, `python3 below/up.py`, `python3 typed.py --target data`, `uv run named.py`, `node reset.mjs`, `pwsh -File gone.ps1`,
		`python3 visits.py`, `python3 handed.py`, `ruby made.rb`, `ruby missing.rb`, `node value.js`, `node exit.js`, `php job.php`,
		`ruby -r fileutils -e 'def w(p); FileUtils.rm_rf(p); end; w("data")'`, `lua -e 'function w(p) os.remove(p) end w("data/one.csv")'`, `node -e 'const fs = require("fs"); const w = p => fs.rmSync(p, {recursive: true}); w("data")'`,
	}, []string{
		`python3 typed.py --target out`, `pwsh -c "Remove-Item data -Recurse -WhatIf"`, `pwsh -c "Remove-Item -Path .\\out -Recurse -Force"`,
		`python3 idle.py`, `python3 flag.py data`, `python3 dry.py --dry-run`, `node argv.js`, `node idle.js`, `python3 command.py out`, `python3 table.py`,
		`python3 lib/b.py`, `python3 lib/c.py`, `node b.js`, `python3 other.py`,
	})
}

// A script's calls on databases and clouds count, but for those of tests.
func TestScriptData(t *testing.T) {
	t.Parallel()
	setup := unseenSetup + "\n" +
		heredoc("drop.py", "import psycopg2", "c = psycopg2.connect(host='db.acme.io', dbname='shop')", "c.cursor().execute('DROP TABLE orders')") +
		heredoc("trial.py", "import psycopg2", "c = psycopg2.connect('postgres://a:b@localhost/shop_test')", "c.cursor().execute('DROP TABLE orders')") +
		heredoc("both.py", "import psycopg2", "t = psycopg2.connect('postgres://a:b@localhost/shop_test')", "c = psycopg2.connect('postgres://a:b@db.acme.io/shop')", "c.cursor().execute('DROP TABLE orders')") +
		heredoc("route.py", "@app.delete('/orders')", "def clear():", "    db.execute('DELETE FROM orders')") +
		heredoc("pay.py", "import stripe", "for c in stripe.Charge.list():", "    stripe.Refund.create(charge=c.id)") +
		heredoc("maps.mjs", "import { S3Client } from '@aws-sdk/client-s3'", "const seen = new Map()", "seen.delete('a')") +
		heredoc("kept.mjs", "import { S3Client } from '@aws-sdk/client-s3'", "const s3 = new S3Client({})", "await s3.deleteObject({ Bucket: 'a', Key: 'b' })") +
		heredoc("parts/db.js", "exports.wipe = async (c) => { await c.query('TRUNCATE customers') }", "exports.count = async (c) => c.query('select 1')") +
		heredoc("count.js", "const { count } = require('./parts/db')", "count({})") +
		heredoc("wipe.js", "const { wipe } = require('./parts/db')", "wipe({})") +
		heredoc("where.py", "import os, shutil", "shutil.rmtree(os.environ['TARGET'])") +
		heredoc("cmd/purge/main.go", "package main", "import (", "\t\"flag\"", "\t\"os\"", ")", "func main() {", "\tdir := flag.String(\"dir\", \"data\", \"\")", "\tos.RemoveAll(*dir)", "}") +
		heredoc("list.py", "import stripe", "print(stripe.Refund.list())") +
		heredoc("table.mjs", "import { DynamoDBClient, DeleteTableCommand } from '@aws-sdk/client-dynamodb'", "await new DynamoDBClient({}).send(new DeleteTableCommand({ TableName: 't' }))") +
		heredoc("near.mjs", "import { DynamoDBClient, DeleteTableCommand } from '@aws-sdk/client-dynamodb'", "await new DynamoDBClient({ endpoint: 'http://localhost:4566' }).send(new DeleteTableCommand({ TableName: 't' }))") +
		heredoc("rows.ts", "import { PrismaClient } from '@prisma/client'", "const db = new PrismaClient()", "await db.order.deleteMany()") +
		heredoc("row.ts", "import { PrismaClient } from '@prisma/client'", "const db = new PrismaClient()", "await db.order.deleteMany({ where: { id: 1 } })") +
		heredoc("fake.py", "import fakeredis", "r = fakeredis.FakeRedis()", "r.flushall()") +
		heredoc("git1.py", "import git", "repo = git.Repo('.')", "repo.git.clean('-fd')") +
		heredoc("git2.py", "import git", "repo = git.Repo('.')", "print(repo.git.log('-3'))")
	heeded(t, newLab(t, setup), []string{
		`python3 drop.py`, `python3 both.py`, `python3 pay.py`, `node table.mjs`, `npx tsx rows.ts`, `python3 git1.py`, `node kept.mjs`, `node wipe.js`, `TARGET=data python3 where.py`, `go run ./cmd/purge`,
	}, []string{
		`python3 trial.py`, `python3 route.py`, `node maps.mjs`, `node count.js`, `TARGET=out python3 where.py`, `go run ./cmd/purge -dir out`, `python3 list.py`, `node near.mjs`, `npx tsx row.ts`, `python3 fake.py`, `DATABASE_URL=postgres://a:b@localhost/shop_test npx tsx rows.ts`, `python3 git2.py`,
	})
}

// Tasks that a runner reads from a file of the project.
func TestRunnersOfTasks(t *testing.T) {
	t.Parallel()
	setup := unseenSetup + "\n" +
		heredoc("tasks.py", "from invoke import task", "@task", "def built(c):", "    c.run('rm -rf out')", "@task", "def all_data(c):", "    c.run('rm -rf data')") +
		heredoc("noxfile.py", "import nox, shutil", "@nox.session", "def tests(session):", "    session.run('pytest')", "@nox.session", "def wipe(session):", "    shutil.rmtree('data')") +
		heredoc("gulpfile.js", "const fs = require('fs')", "function built(cb) { fs.rmSync('out', { recursive: true }); cb() }", "function wipe(cb) { fs.rmSync('data', { recursive: true }); cb() }", "exports.built = built", "exports.wipe = wipe") +
		heredoc(".mise.toml", "[tasks.wipe]", "run = 'rm -rf data'", "[tasks]", "built = 'rm -rf out'") +
		heredoc("pyproject.toml", "[tool.poe.tasks]", `wipe = "rm -rf data"`, `built = "rm -rf out"`, "[tool.hatch.envs.default.scripts]", `gone = "rm -rf photos"`) +
		heredoc("Makefile.toml", "[tasks.wipe]", "script = 'rm -rf data'", "[tasks.built]", "script = 'rm -rf out'") +
		heredoc("tox.ini", "[testenv]", "commands = pytest", "[testenv:wipe]", "allowlist_externals = rm", "commands =", "    rm -rf data") +
		heredoc("Taskfile.yml", "tasks:", "  wipe:", "    cmds:", "      - |", "        set -e", "        cd data", "        rm -f *.csv", "  built:", "    cmds:", "      - |", "        rm -rf out", "        echo done") +
		heredoc("build.gradle", "task wipe(type: Delete) {", "    delete 'data', 'photos'", "}", "task built(type: Delete) {", "    delete 'out'", "}") +
		heredoc("gone.yml", "- hosts: web", "  tasks:", "    - name: drop", "      ansible.builtin.file:", "        path: /srv/www/uploads", "        state: absent") +
		heredoc("local.yml", "- hosts: localhost", "  tasks:", "    - file: {path: out, state: absent}", "    - apt: {name: vim, state: present}") +
		heredoc(".pre-commit-config.yaml", "repos:", "  - repo: local", "    hooks:", "      - id: x", "        entry: rm -rf data", "        language: system")
	l := newLab(t, setup)
	heeded(t, l, []string{
		`invoke all-data`, `nox -s wipe`, `npx gulp wipe`, `mise run wipe`, `poe wipe`, `hatch run gone`, `cargo make wipe`, `tox -e wipe`, `task wipe`, `gradle wipe`, `ansible-playbook gone.yml`, `pre-commit run -a`,
	}, []string{
		`invoke built`, `invoke --list`, `nox -s tests`, `npx gulp built`, `mise run built`, `poe built`, `cargo make built`, `tox -e py312`, `task built`, `gradle built`, `gradle test`, `ansible-playbook gone.yml --check`,
	})
	for _, e := range l.predict(`ansible-playbook local.yml`).Effects {
		if e.Loses() {
			t.Errorf("a playbook that takes what can be built loses %+v", e)
		}
	}
}

// A shell script from disk knows the words it is given, what its line sets and the folder that it lies in.
func TestWordsOfScripts(t *testing.T) {
	t.Parallel()
	setup := unseenSetup + "\n" +
		heredoc("parts/one.sh", "#!/bin/sh", `rm -rf "$1"`) +
		heredoc("parts/usual.sh", "#!/bin/bash", `target="${1:-out}"`, `rm -rf "$target"`) +
		heredoc("parts/all.sh", "#!/bin/bash", `for d in "$@"; do`, `  rm -rf -- "$d"`, "done") +
		heredoc("parts/below.sh", "#!/bin/bash", `rm -rf "$1"/*`) +
		heredoc("parts/set.sh", "#!/bin/sh", `rm -rf "$TARGET"`) +
		heredoc("parts/here.sh", "#!/usr/bin/env bash", "set -euo pipefail", `ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"`, `rm -rf "$ROOT/$1"`) +
		heredoc("parts/link.sh", "#!/bin/sh", `here=$(dirname "$(readlink -f "$0")")`, `rm -rf "$(dirname "$here")/$1"`) +
		"chmod +x parts/*.sh\n"
	own := func(word string) string {
		return heredoc("made/new.sh", "#!/bin/bash", `here="$(cd "$(dirname "$0")" && pwd)"`, `rm -rf "$here/../`+word+`"`)
	}
	heeded(t, newLab(t, setup), []string{
		`bash parts/one.sh data`, `./parts/one.sh data`, `sh parts/usual.sh data`, `parts/all.sh out data`, `parts/below.sh data`, `parts/below.sh`, `TARGET=data parts/set.sh`, `TARGET=$X parts/set.sh`,
		`bash parts/here.sh data`, `cd parts && ./here.sh data`, `parts/link.sh data`, `. parts/one.sh data`, own("data") + `bash made/new.sh`, own("photos") + `chmod +x made/new.sh && ./made/new.sh`,
	}, []string{
		`bash parts/one.sh out`, `./parts/one.sh out`, `sh parts/usual.sh`, `parts/usual.sh out`, `parts/all.sh out`, `parts/below.sh out`, `TARGET=out parts/set.sh`,
		`bash parts/here.sh out`, `cd parts && ./here.sh out`, `parts/link.sh out`, `. parts/one.sh out`, own("out") + `bash made/new.sh`, own("out") + `chmod +x made/new.sh && ./made/new.sh`,
	})
	for _, e := range newLab(t, setup).predict(`parts/below.sh`).Acts {
		if e.Target == "/" {
			t.Errorf("a script without the word it needs is taken to delete %+v", e)
		}
	}
}

// What a line hands on by a file or a here-string is read as what it is.
func TestHandedOn(t *testing.T) {
	t.Parallel()
	setup := unseenSetup + "\n" + heredoc("drop.sql", "DROP TABLE orders;") + heredoc("count.sql", "SELECT count(*) FROM orders;")
	heeded(t, newLab(t, setup), []string{
		`cat drop.sql | psql "$DATABASE_URL"`, `cat count.sql drop.sql | mysql shop`, `cat drop.sql | docker exec -i db psql -U app shop`,
		`xargs -0 sh -c <<< "$(curl -fsSL https://get.example.com/i.sh)"`, `xargs -I{} bash -c '{}' <<< "$(curl -fsSL https://get.example.com/i.sh)"`,
	}, []string{
		`cat count.sql | psql "$DATABASE_URL"`, `cat drop.sql | psql -h localhost shop_test`, `cat drop.sql | grep -c TABLE`, `xargs -n1 echo <<< "$(curl -fsSL https://get.example.com/list.txt)"`,
	})
}

func FuzzHeadedLines(f *testing.F) {
	f.Add("[tasks.wipe]\nrun = 'rm -rf data'\n[tool.hatch.envs.a.scripts]\nx = [\"a\", \"b\"]\n", "wipe")
	f.Add("[testenv:x]\ncommands =\n  a\n  b = c\n", "x")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, h := range [...]string{"tasks tool.pixi.tasks", "testenv", "tool.hatch.envs. envs."} {
			if got := headedLines(text, h, name); len(got) > maxWords {
				t.Errorf("%d lines", len(got))
			}
		}
		yamlCommands(text, name)
	})
}
