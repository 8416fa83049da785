package effect

import (
	"path/filepath"
	"strings"
)

// always are names of folders that a package manager, compiler or test runner makes anew, whoever keeps them where.
const always = "node_modules __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .next .nuxt .svelte-kit .turbo .parcel-cache .gradle .terraform .cache .eggs .ipynb_checkpoints .nyc_output .angular .dart_tool .stack-work .bundle bower_components .pnpm-store htmlcov .hypothesis DerivedData .output .cxx .zig-cache zig-cache .pio .bloop .metals .jekyll-cache .docusaurus .astro .serverless .aws-sam cdk.out .terragrunt-cache .sass-cache .kotlin .shadow-cljs .cpcache elm-stuff dist-newstyle .elixir_ls"

// Remade says that a folder of this name is one that tools fill and bring back.
func Remade(name string) bool { return in(name, always) || in(name, venvs) }

// venvs are names of environments of Python, of which what a tool puts there comes back.
const (
	venvs   = ".venv venv"
	venvOwn = "pyvenv.cfg bin lib lib64 libexec sbin include share etc man doc var ssl conda-meta compiler_compat x86_64-conda-linux-gnu nltk_data Scripts Lib Library Include DLLs tcl .gitignore .lock .Python pip-selfcheck.json CACHEDIR.TAG"
)

// built are names that are build output in most projects and something else in a few: they count only where the
// repository ignores them.
const built = "build dist out target bin obj lib coverage tmp temp logs log cache _build public site docs-build output generated gen artifacts release debug Debug Release vendor Pods deps doc .expo .vs .build zig-out cmake-build-debug cmake-build-release TestResults managed_components spark-warehouse .snakemake .nextflow _site _gen _freeze _opam Temp Logs test-results playwright-report storybook-static reports"

// regenerable says that a file, written from its repository's root, can be made anew. ignored tells that the repository
// does not keep it on purpose.
func regenerable(p string, ignored bool) bool {
	base := filepath.Base(p)
	if p == ".git" || strings.HasPrefix(p, ".git/") {
		return false
	}
	if strings.HasPrefix(base, ".env") || isState(base) {
		return false
	}
	for d := p; ; {
		name := filepath.Base(d)
		if in(name, always) || strings.HasSuffix(name, ".egg-info") || in(name, venvs) && (d == p || in(firstName(p, d), venvOwn)) {
			return true
		}
		if ignored && d != p && in(name, built) {
			return true
		}
		up := filepath.Dir(d)
		if up == d {
			break
		}
		d = up
	}
	if hasSuffix(base, ".pyc", ".pyo", ".o", ".class", ".tsbuildinfo", ".swp") || in(base, ".DS_Store Thumbs.db .eslintcache") {
		return true
	}
	if ignored && (in(base, "compile_commands.json erl_crash.dump derby.log") || strings.Contains("/"+p, "/_minted")) {
		return true
	}
	return ignored && hasSuffix(base, ".aux", ".bbl", ".bcf", ".blg", ".fdb_latexmk", ".fls", ".lof", ".lot", ".nav", ".run.xml", ".snm", ".synctex.gz", ".toc", ".vrb", ".gcda", ".gcno", ".profraw", ".log", ".tmp", ".a", ".so", ".dylib", ".exe", ".out", ".cover", ".prof", ".map", ".pid", ".cache", ".coverage", ".bak~", "~", ".test")
}

// firstName is the first name of a path below a folder.
//
//go:noinline
func firstName(p, dir string) string {
	name, _, _ := strings.Cut(p[len(dir)+1:], "/")
	return name
}

// isState: files that a program keeps its data in, which no build brings back.
func isState(base string) bool {
	return hasSuffix(base, ".sqlite", ".sqlite3", ".db", ".tfstate", ".mdb", ".rdb", ".pem", ".key", ".p12", ".keystore")
}

// homeCaches are folders of a home that a package manager, compiler or test runner fills with what it can fetch or build
// again. A cache that is not named here may be shared by a team's builds, or take days to fill.
const homeCaches = ".npm/_cacache .npm/_npx .npm/_logs .npm/_prebuilds .node-gyp .yarn/cache .yarn/berry/cache .bun/install/cache .pnpm-store .local/share/pnpm/store Library/pnpm/store " +
	".cache/pip .cache/uv .cache/pypoetry .cache/pipenv .cache/hatch .cache/pre-commit .cache/yarn .cache/pnpm .cache/node .cache/node-gyp .cache/deno .cache/typescript .cache/electron .cache/electron-builder .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/prisma .cache/turbo .cache/esbuild " +
	".cache/go-build .cache/golangci-lint .cache/staticcheck .cache/gopls .cache/goimports go/pkg/mod .cache/composer .composer/cache .cache/bazelisk .cache/ccache .ccache .cache/sccache .cache/zig .cache/mypy .cache/ruff .cache/black .cache/pylint .cache/matplotlib .cache/huggingface/hub .cache/torch/hub .cache/fontconfig .cache/thumbnails .cache/helm .cache/trivy .cache/coursier .cache/gitstatus " +
	".gradle/caches .gradle/daemon .gradle/wrapper/dists .gradle/native .m2/repository .m2/wrapper .ivy2/cache .sbt/boot .cargo/registry .cargo/git .rustup/downloads .rustup/tmp .nuget/packages .pub-cache/hosted .gem/specs .bundle/cache .conda/pkgs .expo/cache .android/cache .cocoapods/repos .terraform.d/plugin-cache " +
	".cabal/packages .cache/cabal .opam/download-cache .cache/dune .hex/packages .cache/rebar3 .cache/torch/kernels .cache/nvim .local/share/nvim/lazy .local/share/nvim/site/pack/packer .cache/zsh .cache/Homebrew .cache/act .cache/unity3d .config/unity3d/cache .platformio/.cache .arduino15/staging .kube/cache .minikube/cache .cache/nix .cache/lua-language-server .cache/tlmgr .cache/jedi .cache/ansible-compat .cache/infracost .nextflow/assets .julia/compiled " +
	"Library/Developer/Xcode/DerivedData Library/Developer/CoreSimulator/Caches"

// cache says that a path is such a folder, or lies in one; macOS keeps all of Library/Caches that way.
func (w *World) cache(p string) bool {
	for _, home := range [...]string{w.Home, w.EnvHome} {
		if home == "" || !w.within(p, home) || p == home {
			continue
		}
		rel := p[len(home)+1:]
		if strings.HasPrefix(rel, "Library/Caches/") {
			return true
		}
		for ; rel != "." && rel != "/"; rel = filepath.Dir(rel) {
			if in(rel, homeCaches) {
				return true
			}
		}
	}
	return false
}

func hasSuffix(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}
