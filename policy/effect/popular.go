package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Names of packages that many projects use. They only keep the gate from asking: a name that stands neither here nor in
// the project's files may be made up by a model, or be written like another. Names of a scope (@types) end in a slash.
const (
	popularNode = " react react-dom react-router react-router-dom react-native next vue nuxt svelte solid-js preact angular jquery lodash lodash-es underscore ramda axios got ky node-fetch undici superagent request express koa fastify hapi hono restify socket.io socket.io-client ws cors helmet morgan body-parser cookie-parser multer passport jsonwebtoken jose bcrypt bcryptjs argon2 dotenv dotenv-cli cross-env commander yargs yargs-parser minimist meow inquirer prompts chalk picocolors kleur ora listr2 boxen figlet debug winston pino pino-pretty bunyan loglevel uuid nanoid cuid ulid date-fns dayjs moment moment-timezone luxon zod yup joi ajv superstruct valibot io-ts class-validator class-transformer reflect-metadata rxjs immer redux react-redux redux-thunk zustand jotai recoil mobx xstate swr graphql apollo-server urql prisma mongoose mongodb mysql mysql2 pg pg-promise sqlite3 better-sqlite3 redis ioredis knex sequelize typeorm drizzle-orm drizzle-kit kysely bull bullmq agenda node-cron cron p-limit p-queue p-retry p-map async async-retry retry bluebird eventemitter3 mitt typescript ts-node tsx tsup tsc-watch esbuild rollup vite webpack webpack-cli webpack-dev-server parcel turbo nx lerna babel-loader css-loader style-loader sass sass-loader less postcss autoprefixer tailwindcss styled-components classnames clsx tailwind-merge framer-motion motion three d3 chart.js react-chartjs-2 recharts echarts leaflet mapbox-gl eslint prettier stylelint husky lint-staged commitlint jest ts-jest babel-jest vitest mocha chai sinon nyc c8 ava tap supertest nock msw playwright puppeteer cypress jsdom happy-dom cheerio storybook nodemon pm2 concurrently npm-run-all rimraf mkdirp fs-extra glob globby fast-glob chokidar execa shelljs zx semver npm yarn pnpm yaml js-yaml toml ini xml2js fast-xml-parser csv-parse papaparse marked markdown-it remark rehype gray-matter sharp jimp canvas pdf-lib pdfkit puppeteer-core exceljs xlsx archiver jszip tar handlebars ejs pug mustache nunjucks i18next react-i18next next-auth next-themes react-hook-form formik react-query react-icons lucide-react react-select react-table react-dropzone lottie-web openai langchain ai stripe twilio nodemailer resend aws-sdk firebase firebase-admin googleapis discord.js telegraf electron electron-builder expo serve http-server live-server json-server npm-check-updates depcheck knip patch-package husky standard xo zod-to-json-schema qs query-string path-to-regexp mime mime-types form-data formidable busboy iconv-lite lru-cache left-pad is-odd keyv node-cache tslib core-js regenerator-runtime source-map-support deepmerge fast-deep-equal object-assign inherits safe-buffer validator dompurify sanitize-html he entities htmlparser2 jsonpath json5 jsonc-parser ms bytes pretty-bytes pluralize slugify change-case camelcase faker chance create-react-app create-next-app create-vite degit wrangler vercel netlify-cli serverless supabase @types/ @babel/ @angular/ @vue/ @nestjs/ @tanstack/ @reduxjs/ @emotion/ @mui/ @radix-ui/ @headlessui/ @heroicons/ @fortawesome/ @testing-library/ @playwright/ @storybook/ @vitejs/ @vitest/ @typescript-eslint/ @eslint/ @rollup/ @swc/ @jest/ @prisma/ @aws-sdk/ @azure/ @google-cloud/ @supabase/ @vercel/ @next/ @sveltejs/ @astrojs/ @nuxt/ @apollo/ @graphql-codegen/ @octokit/ @sentry/ @stripe/ @slack/ @sendgrid/ @hookform/ @trpc/ @hono/ @fastify/ @opentelemetry/ @anthropic-ai/ @openai/ @modelcontextprotocol/ @langchain/ @huggingface/ @tailwindcss/ @changesets/ @commitlint/ @semantic-release/ @actions/ @expo/ @react-navigation/ @react-native/ @ionic/ @capacitor/ @tauri-apps/ @electron/ @cloudflare/ @netlify/ @biomejs/ @faker-js/ @sindresorhus/ @mdx-js/ @floating-ui/ @dnd-kit/ @tiptap/ @lexical/ @codemirror/ @ai-sdk/ "

	popularPython = " requests httpx aiohttp urllib3 certifi idna charset-normalizer flask django fastapi starlette uvicorn gunicorn hypercorn tornado sanic bottle pyramid quart jinja2 markupsafe werkzeug click typer rich textual tqdm colorama tabulate prettytable fire docopt pydantic pydantic-settings attrs marshmallow cattrs dataclasses-json sqlalchemy alembic psycopg2 psycopg2-binary psycopg asyncpg pymysql mysqlclient aiosqlite pymongo motor redis celery rq dramatiq huey kombu peewee tortoise-orm sqlmodel numpy pandas scipy matplotlib seaborn plotly bokeh altair polars pyarrow dask xarray numba cython scikit-learn scikit-image statsmodels xgboost lightgbm catboost torch torchvision torchaudio tensorflow keras jax jaxlib flax transformers datasets tokenizers accelerate diffusers peft trl sentence-transformers huggingface-hub safetensors onnx onnxruntime openai anthropic langchain langchain-core langchain-community langgraph llama-index litellm tiktoken cohere mistralai groq google-generativeai ollama chromadb faiss-cpu pinecone-client qdrant-client weaviate-client spacy nltk gensim opencv-python opencv-python-headless pillow imageio moviepy pydub librosa soundfile beautifulsoup4 bs4 lxml html5lib scrapy selenium playwright pytest pytest-cov pytest-asyncio pytest-mock pytest-xdist pytest-django hypothesis tox nox coverage mock responses respx freezegun factory-boy faker black ruff flake8 pylint isort mypy pyright bandit autopep8 yapf pre-commit pip pip-tools pipx setuptools wheel build twine poetry poetry-core hatch hatchling flit pdm uv virtualenv pipenv conda packaging python-dotenv environs dynaconf pyyaml ruamel.yaml toml tomli tomlkit tomli-w orjson ujson simplejson msgpack protobuf grpcio grpcio-tools python-dateutil pytz tzdata pendulum arrow humanize boto3 botocore awscli s3fs google-cloud-storage google-cloud-bigquery google-auth google-api-python-client azure-storage-blob azure-identity kubernetes docker fabric paramiko ansible invoke pexpect psutil watchdog loguru structlog sentry-sdk prometheus-client opentelemetry-api opentelemetry-sdk cryptography pycryptodome pynacl pyjwt python-jose passlib bcrypt argon2-cffi oauthlib requests-oauthlib authlib itsdangerous email-validator stripe twilio sendgrid slack-sdk discord.py python-telegram-bot tweepy praw streamlit gradio dash panel nicegui flet pyqt5 pyqt6 pyside6 kivy pygame jupyter jupyterlab notebook ipython ipykernel ipywidgets nbconvert nbformat papermill sphinx mkdocs mkdocs-material pdoc openpyxl xlsxwriter xlrd python-docx python-pptx pypdf pypdf2 pdfplumber pymupdf reportlab weasyprint markdown mistune docutils networkx sympy shapely geopandas folium pyproj rasterio cvxpy ortools gym gymnasium stable-baselines3 ray mlflow wandb tensorboard optuna hydra-core omegaconf lightning pytorch-lightning timm einops evaluate gitpython pygithub jsonschema jsonpath-ng xmltodict cachetools diskcache filelock joblib tenacity backoff retrying more-itertools toolz sortedcontainers typing-extensions mypy-extensions six future anyio trio gevent eventlet websockets websocket-client python-socketio aiofiles asyncio httptools uvloop pyperclip pynput pyautogui mss schedule apscheduler django-rest-framework djangorestframework django-cors-headers django-environ django-filter django-extensions drf-spectacular whitenoise flask-cors flask-sqlalchemy flask-migrate flask-login flask-wtf graphene strawberry-graphql ariadne mcp fastmcp instructor unstructured pyspark dbt-core apache-airflow prefect dagster great-expectations shap lime umap-learn hdbscan imbalanced-learn category-encoders featuretools prophet neuralprophet pmdarima sktime darts arch yfinance pandas-ta ta-lib ydata-profiling sweetviz missingno plotnine holoviews datashader graphviz pygraphviz pydot yellowbrick eli5 alibi captum torchmetrics ultralytics albumentations kornia monai bitsandbytes deepspeed vllm sentencepiece sacrebleu rouge-score textblob flair stanza fasttext rapidfuzz fuzzywuzzy python-levenshtein jellyfish recordlinkage dedupe pandera dvc ibis-framework duckdb deltalake fastparquet pyreadstat tables h5py netcdf4 zarr connectorx snowflake-connector-python databricks-sdk clickhouse-connect trino pyodbc oracledb nbstripout jupytext voila nbdev kaggle flash-attn xformers triton ninja torchdata torchao auto-gptq autoawq sglang gguf llama-cpp-python ctranslate2 faster-whisper openai-whisper whisper tensorflow-datasets tensorflow-hub keras-tuner einx jaxtyping optax chex equinox orbax-checkpoint pytorch-forecasting torch-geometric dgl torchtext mamba-ssm clip-anytorch open-clip-torch segment-anything lpips kornia-rs roboflow supervision mediapipe insightface easyocr pytesseract paddleocr pdf2image biopython pysam pyfaidx pybedtools scanpy anndata scvi-tools pyvcf3 cyvcf2 deeptools multiqc snakemake cutadapt htseq rdkit openmm mdanalysis ase pymatgen astropy healpy lmfit uncertainties pint numexpr bottleneck patsy linearmodels emcee pymc arviz numpyro cmdstanpy pystan formulaic lifelines econml dowhy causalml mapie pandasql sqlglot sqlfluff sqlparse dbt-postgres dbt-snowflake dbt-bigquery dbt-duckdb dbt-redshift apache-beam confluent-kafka kafka-python aiokafka pika nats-py elasticsearch opensearch-py clickhouse-driver influxdb-client pymssql cassandra-driver neo4j py2neo pymilvus lancedb pgvector minio smbprotocol esptool platformio pyserial pyusb pyvisa bleak adafruit-blinka micropython-stubs rpi.gpio gpiozero can python-can cocotb pwntools capstone unicorn keystone-engine angr scapy impacket ropper frida frida-tools volatility3 yara-python mitmproxy manim pygments nbgrader otter-grader jupyterhub jupyter-book rise sphinx-rtd-theme furo myst-parser mkdocstrings testcontainers moto localstack fakeredis pytest-benchmark pytest-timeout pytest-env syrupy schemathesis locust pyinstaller nuitka cx-freeze briefcase maturin scikit-build-core cffi pybind11 meson meson-python conan gcovr cmake clang-format pyyaml-include pulumi pulumi-aws aws-cdk-lib checkov netmiko napalm ncclient pyvmomi proxmoxer ansible-core ansible-lint molecule yamllint jmespath "
)

// manifests are the files of a project that name what it uses.
var manifests = [...]string{
	"package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "requirements.txt", "requirements-dev.txt", "pyproject.toml", "poetry.lock", "uv.lock",
	"setup.py", "setup.cfg", "Pipfile", "Pipfile.lock", "environment.yml", "README.md",
}

// unknownPackage says that a word names a package of a registry that neither the project nor many others use.
func (r *reader) unknownPackage(c *shell.Command, w shell.Word) bool {
	popular := popularNode
	if in(c.Name, "pip pip3 uv poetry pdm") {
		popular = popularPython
	} else if !in(c.Name, "npm pnpm yarn bun") {
		return false
	}
	name := packageName(w.Text)
	if name == "" || !w.Known {
		return false
	}
	if in(name, popular) || in(strings.ReplaceAll(name, "_", "-"), popular) {
		return false
	}
	if scope, _, ok := strings.Cut(name, "/"); ok && strings.Contains(popular, " "+scope+"/") {
		return false
	}
	for _, dir := range [...]string{r.dir(c), r.w.Root} {
		for _, m := range manifests {
			if strings.Contains(strings.ToLower(readBounded(filepath.Join(dir, m))), name) {
				return false
			}
		}
	}
	return true
}

// packageName is the name in NAME@1, NAME[extra]>=2 or NAME==3; empty for a path, an address or a file.
func packageName(s string) string {
	if strings.ContainsAny(s, ":\\*") || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") || hasSuffix(s, ".whl", ".tgz", ".gz", ".txt") {
		return ""
	}
	at := ""
	if strings.HasPrefix(s, "@") {
		at, s = "@", s[1:]
	} else if strings.Contains(s, "/") {
		return ""
	}
	if i := strings.IndexAny(s, "@[<>=!~; "); i >= 0 {
		s = s[:i]
	}
	return at + strings.ToLower(s)
}
