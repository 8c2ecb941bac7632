/**
 * The classes of files that need consent, with the names and places that programs look for by themselves: what is written
 * there has an effect that no import of the project explains. Data only; `consent.ts` reads it, `docs/consent.md` lists it.
 */

/** What a file of each class can do, as a sentence without its full stop; `--allow` names the classes. */
export const CONSENT_CLASSES = {
  agent: 'Coding agents load it: it can instruct them, and give them tools and rights',
  ci: 'A build server or a bot of the code host obeys it, with the rights and secrets of the repository',
  git: 'git or its hooks obey it: it can start programs at a commit, and hide files from git',
  editor:
    'An editor or a development container reads it when the folder is opened: it can start programs',
  packages:
    'A package manager reads it: it decides which packages come from where, and can start programs at the next install',
  commands: 'A build tool, a task runner or a container engine carries out its commands',
  hosting:
    'A hosting or orchestration tool obeys it: it decides what runs there and with which rights',
  startup:
    'An interpreter, a test runner, a web framework or a migration tool runs it because of its name or place, without an import',
  settings:
    'A compiler, linter, bundler, test runner or framework reads it as settings, which can load code as a plug-in',
  program: 'It can be started as a program, or holds one',
  hidden:
    'Its name or a folder begins with a dot: tools keep settings there, and listings leave it out',
  unknown: 'It is of no known kind of source files: a program may run it or read it as settings',
  root: 'It is at the root of the project, where tools look for settings and for the program to start',
  lifecycle: 'Package managers run the script by themselves',
} as const satisfies Record<string, string>;

export type ConsentClass = keyof typeof CONSENT_CLASSES;
/** All but the class of scripts in package.json. */
export type FileClass = Exclude<ConsentClass, 'lifecycle'>;

/** What one class knows its files by, in the form of `collisionKey`. */
interface ClassNames {
  readonly class: FileClass;
  readonly names?: string;
  /** Names of folders, anywhere above the file. */
  readonly folders?: string;
  /** Tried on the whole path. */
  readonly paths?: readonly RegExp[];
}

/** Extensions of scripts in languages whose tools look for files by name. */
const JS = String.raw`\.[cm]?[jt]sx?$`;
const DATA = String.raw`(?:json[c5]?|ya?ml|toml)`;

/** The first class that matches counts. */
export const CLASS_NAMES: readonly ClassNames[] = [
  {
    class: 'agent',
    names:
      'agents.md agent.md claude.md claude.local.md gemini.md qwen.md warp.md crush.md skill.md iflow.md replit.md ' +
      'copilot-instructions.md mcp.json crush.json opencode.json opencode.jsonc gemini-extension.json ' +
      'claude_desktop_config.json claude-plugin.json .cursorrules .windsurfrules .clinerules .roorules .goosehints ' +
      '.mcp.json .aider.conf.yml .cursorignore .aiderignore .geminiignore .rules .crush.json .crushignore',
    folders:
      '.agents .claude .claude-plugin .codex .cursor .windsurf .gemini .clinerules .continue .roo .kiro .opencode .qwen ' +
      '.amazonq .junie .crush .aider .augment .trae .factory .goose .openhands .zencoder .devin .amp .tabnine',
    paths: [
      /(?:^|\/)agents\.[^/]+\.md$/,
      /\.mdc$/,
      /\.(?:instructions|prompt|chatmode|agent)\.md$/,
      /(?:^|\/)\.github\/(?:.*\/)?(?:instructions|prompts|chatmodes|agents)\//,
    ],
  },
  {
    class: 'ci',
    names:
      '.gitlab-ci.yml .travis.yml azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml jenkinsfile .drone.yml ' +
      '.drone.star appveyor.yml .appveyor.yml .woodpecker.yml .woodpecker.yaml cloudbuild.yaml cloudbuild.yml cloudbuild.json ' +
      '.cirrus.yml .cirrus.star buildspec.yml buildspec.yaml .semaphore.yml wercker.yml shippable.yml codeship-steps.yml ' +
      'codeship-services.yml circle.yml .scrutinizer.yml codecov.yml .codecov.yml .sourcegraph.yml .build.yml ' +
      'renovate.json renovate.json5 .renovaterc .renovaterc.json dependabot.yml codemagic.yaml bitrise.yml ' +
      '.pre-commit-config.yaml .pre-commit-hooks.yaml readthedocs.yml .readthedocs.yml .readthedocs.yaml earthfile ' +
      'codeowners .goreleaser.yml .goreleaser.yaml action.yml action.yaml',
    folders:
      '.github .gitlab .circleci .buildkite .woodpecker .forgejo .gitea .semaphore .teamcity .builds .azure-pipelines',
    paths: [/\.jenkinsfile$/, /\.gitlab-ci\.yml$/],
  },
  {
    class: 'git',
    names:
      '.gitattributes .gitmodules .gitconfig .gitignore .mailmap .git-blame-ignore-revs .lfsconfig lefthook.yml lefthook.yaml ' +
      'lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml .lefthook.toml lefthook-local.yml .lefthook-local.yml .overcommit.yml',
    folders: '.husky .githooks .lefthook .hg .svn .jj',
  },
  {
    class: 'editor',
    names:
      '.editorconfig .exrc .nvim.lua .nvimrc .vimrc .lvimrc .dir-locals.el .projectile .devcontainer.json .ycm_extra_conf.py ' +
      '.gitpod.yml .lapce .sublime-project .replit devfile.yaml .devfile.yaml',
    folders:
      '.vscode .vscode-insiders .idea .fleet .zed .nova .vs .devcontainer .sublime .eclipse .settings .theia .gitpod',
    paths: [
      /\.(?:code-workspace|sublime-project|sublime-workspace|iml|ipr|xcworkspacedata|xcscheme|xcsettings)$/,
      /\.(?:xcodeproj|xcworkspace|playground)\//,
    ],
  },
  {
    class: 'packages',
    names:
      'package.json npm-shrinkwrap.json package-lock.json pnpm-workspace.yaml pnpm-lock.yaml shrinkwrap.yaml package.yaml package.json5 ' +
      'bower.json lerna.json rush.json deno.json deno.jsonc jsr.json import_map.json import-map.json importmap.json binding.gyp ' +
      '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js pnpmfile.js bunfig.toml .bunfig.toml .ncurc .nvmrc ' +
      '.node-version .python-version .ruby-version .tool-versions .sdkmanrc .java-version rust-toolchain rust-toolchain.toml ' +
      'pyproject.toml setup.py setup.cfg pipfile pip.conf pip.ini .pypirc .condarc environment.yml environment.yaml pixi.toml ' +
      'uv.toml pdm.toml .pdm.toml poetry.toml hatch.toml hatch_build.py meta.yaml conda-lock.yml conanfile.py conanfile.txt ' +
      'vcpkg.json vcpkg-configuration.json composer.json gemfile gems.rb .gemrc .bundle cargo.toml build.rs go.mod go.work ' +
      'go.sum pubspec.yaml pubspec_overrides.yaml mix.exs rebar.config package.swift podfile cartfile brewfile cpanfile ' +
      'makefile.pl build.pl project.clj deps.edn shadow-cljs.edn build.boot stack.yaml cabal.project shard.yml elm.json ' +
      'pom.xml ivy.xml build.sbt nuget.config packages.config global.json paket.dependencies ' +
      'directory.build.props directory.build.targets directory.packages.props manifest.in extconf.rb flake.nix default.nix shell.nix ' +
      'devbox.json devenv.yaml mise.toml .mise.toml mise.local.toml .envrc volta.json spago.dhall haxelib.json gleam.toml ' +
      'extensions.toml library.properties platformio.ini west.yml stackyard.json components.json gradle.properties',
    folders:
      '.yarn .cargo .bundle .mvn .m2 .npm .pnpm-store .nuget .gradle-enterprise .conda .swiftpm',
    paths: [
      /(?:^|\/)[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in|pip)$/,
      /(?:^|\/)(?:requirements|constraints|reqs)\/.*\.(?:txt|in|pip)$/,
      /\.(?:lock|lockb|lockfile|gyp|gypi|gemspec|podspec|cabal|nimble|rockspec|opam|nuspec|gradle|gradle\.kts|sbt|csproj|fsproj|vbproj|vcxproj|sln|slnx|nix)$/,
      /\.lock\.(?:json|ya?ml|hcl)$/,
      /(?:^|\/)package\.[^/]+\.json$/,
      /(?:^|\/)lerna\.[^/]+$/,
    ],
  },
  {
    class: 'commands',
    names:
      'makefile gnumakefile bsdmakefile makefile.am makefile.in configure.ac configure cmakelists.txt meson.build meson_options.txt ' +
      'sconstruct sconscript wscript jamfile jamroot build build.bazel workspace workspace.bazel module.bazel buck build.xml build.zig ' +
      'justfile .justfile taskfile.yml taskfile.yaml taskfile.dist.yml magefile.go tasks.toml maskfile.md xmake.lua premake5.lua ' +
      'noxfile.py fabfile.py dodo.py pavement.py tox.ini rakefile rakefile.rb thorfile guardfile capfile dangerfile fastfile ' +
      'appfile matchfile berksfile vagrantfile puppetfile snakefile jakefile jakefile.js gruntfile.js gruntfile.ts ' +
      'gruntfile.cjs gruntfile.coffee gulpfile.js gulpfile.ts gulpfile.mjs gulpfile.cjs gulpfile.babel.js gulpfile.coffee ' +
      'cakefile plopfile.js plopfile.ts plopfile.mjs dangerfile.js dangerfile.ts dangerfile.py dockerfile containerfile .dockerignore ' +
      'docker-bake.hcl docker-bake.json docker-compose.yml procfile procfile.dev tiltfile .bazelrc bazel.rc buildfile robo.php phing.xml ' +
      'turbo.json nx.json project.json workspace.json angular.json .angular-cli.json ' +
      'nodemon.json pm2.json process.json processes.json ember-cli-build.js lage.config.js bacon.toml makefile.toml ' +
      'magefiles waf ecosystem.json bors.toml cdk.json tup.ini tupfile sakefile invoke.yaml invoke.py',
    folders: '_templates magefiles',
    paths: [
      /(?:^|\/)(?:docker-)?compose(?:\.[^/]+)?\.ya?ml$/,
      /(?:^|\/)docker-compose[^/]*\.ya?ml$/,
      /(?:^|\/)(?:docker|container)file[.-][^/]+$/,
      /\.(?:dockerfile|containerfile|mk|mak|make|cmake|ninja|bzl|bazel|star|just|rake|thor|am|ac|m4|gn|pri|pro|sc|groovy)$/,
      /(?:^|\/)[\w-]*makefile(?:\.[^/]+)?$/,
      /(?:^|\/)ecosystem\.[^/]+$/,
    ],
  },
  {
    class: 'hosting',
    names:
      'netlify.toml vercel.json now.json firebase.json .firebaserc fly.toml render.yaml railway.json railway.toml wrangler.toml ' +
      'wrangler.json wrangler.jsonc heroku.yml app.json app.yaml app.yml appspec.yml appspec.yaml amplify.yml serverless.yml ' +
      'serverless.yaml serverless.json serverless.ts serverless.js template.yaml template.yml samconfig.toml sst.config.ts ' +
      'host.json function.json local.settings.json dockerrun.aws.json task-definition.json skaffold.yaml helmfile.yaml chart.yaml ' +
      'values.yaml kustomization.yaml kustomization.yml pulumi.yaml ansible.cfg playbook.yml site.yml galaxy.yml hosts inventory ' +
      'main.tf terraform.tfvars nginx.conf httpd.conf caddyfile web.config .htaccess .htpasswd .user.ini php.ini _redirects _headers ' +
      '_routes.json _worker.js static.json cname passenger_wsgi.py eas.json buildspec.toml project.toml zeabur.json nixpacks.toml ' +
      'captain-definition dokku.json cron.yaml crontab dispatch.yaml queue.yaml supervisord.conf s6-rc deploy.yml ' +
      'kamal.yml manifest.yml manifest.yaml scalingo.json procfile.prod okteto.yml garden.yml devspace.yaml draft.toml porter.yaml',
    folders:
      'k8s kubernetes helm charts argocd flux-system ansible playbooks terraform pulumi cloudformation .ebextensions .platform ' +
      '.elasticbeanstalk .aws .azure .serverless .netlify .vercel .firebase .wrangler .openshift .do .fly .kamal cron.d cron.daily ' +
      'cron.hourly docker-entrypoint-initdb.d docker-entrypoint.d systemd',
    paths: [
      /\.(?:tf|tfvars|hcl|bicep|nomad|service|timer|socket)$/,
      /(?:^|\/)roles\/[^/]+\/(?:tasks|handlers|meta|vars|defaults)\//,
    ],
  },
  {
    class: 'startup',
    names:
      'sitecustomize.py usercustomize.py conftest.py celeryconfig.py locustfile.py passenger.py spec_helper.rb rails_helper.rb test_helper.rb ' +
      'user.clj setuptests.js setuptests.ts setupproxy.js setupproxy.ts hooks.server.ts hooks.server.js hooks.client.ts hooks.client.js ' +
      'gatsby-node.js gatsby-node.ts gatsby-config.js gatsby-config.ts gatsby-browser.js gatsby-ssr.js gatsby-browser.tsx gatsby-ssr.tsx tests.py',
    folders: '__tests__ __mocks__ __specs__',
    paths: [
      /\.pth$/,
      // Test runners.
      new RegExp(String.raw`(?:(?:^|[./_-])test|\.(?:spec|cy|e2e|bench|stories))${JS}`),
      new RegExp(String.raw`(?:^|\/)(?:test-[^/]+|test\/.+)${JS}`),
      /(?:^|\/)test_[^/]*\.(?:py|rb)$/,
      /_(?:test|tests|spec)\.(?:py|go|rb|dart|ex|php)$/,
      /(?:^|\/)(?:tests|benches|examples|src\/bin)\/.*\.rs$/,
      /(?:^|\/)src\/(?:test|androidtest|integrationtest)\//,
      /(?:^|\/)tests?\/.*\.(?:php|java|kt|cs|scala)$/,
      new RegExp(
        String.raw`(?:^|\/)(?:jest|vitest|mocha|cypress|playwright|test|global)[.-]?(?:setup|teardown)${JS}`,
      ),
      /(?:^|\/)(?:cypress|playwright)\/(?:support|plugins)\//,
      // Web frameworks, by name or place; a package of a monorepo is a root of its own.
      new RegExp(
        String.raw`^(?:(?:apps|packages|sites)\/[^/]+\/)?(?:src\/)?(?:middleware|proxy|instrumentation|instrumentation-client)${JS}`,
      ),
      new RegExp(
        String.raw`(?:^|\/)app\/(?:.*\/)?(?:page|route|layout|template|default|loading|error|global-error|not-found|forbidden|unauthorized|sitemap|robots|manifest|icon|apple-icon|opengraph-image|twitter-image|root|entry\.(?:client|server))${JS}`,
      ),
      /(?:^|\/)pages\/.*\.(?:[cm]?[jt]sx?|vue|astro|mdx?|svelte|html)$/,
      /(?:^|\/)\+(?:page|layout|server|error)[^/]*\.(?:svelte|[jt]s)$/,
      new RegExp(String.raw`^(?:(?:apps|packages|sites)\/[^/]+\/)?(?:app\/)?routes\/.*${JS}`),
      /(?:^|\/)src\/routes\/.*\.(?:tsx|jsx|mdx)$/,
      new RegExp(
        String.raw`^(?:(?:apps|packages|sites)\/[^/]+\/)?(?:server\/)?(?:api|plugins|middleware|functions)\/.*${JS}`,
      ),
      /^(?:(?:apps|packages|sites)\/[^/]+\/)?(?:layouts|modules)\/.*\.(?:vue|[cm]?[jt]s)$/,
      new RegExp(String.raw`(?:^|\/)(?:netlify|supabase)\/(?:edge-)?functions\/.*`),
      /^(?:(?:apps|packages|engines)\/[^/]+\/)?config\/(?:initializers|environments|packages|routes|autoload)\//,
      /^(?:(?:apps|packages|engines)\/[^/]+\/)?config\/[^/]+\.(?:rb|exs|php|ya?ml)$/,
      /(?:^|\/)(?:management\/commands|templatetags)\/[^/]+\.py$/,
      /(?:^|\/)bootstrap\/[^/]+\.php$/,
      /(?:^|\/)meta-inf\//,
      // Tools that migrate a database.
      /(?:^|\/)(?:prisma|supabase|drizzle|db|database|sql)\/(?:.*\/)?(?:migrations?|migrate|seeds?|seeders)\//,
      /^(?:(?:apps|packages)\/[^/]+\/)?(?:migrations|seeds|seeders)\//,
      /(?:^|\/)migrations\/\d{3,}[_-][^/]*\.(?:py|[cm]?[jt]s|sql|php|rb)$/,
      /(?:^|\/)(?:alembic|migrations)\/(?:env\.py|versions\/)/,
      /(?:^|\/)db\/(?:seeds?|schema|structure)\.(?:rb|sql|[jt]s)$/,
      /(?:^|\/)(?:[vub]\d[\d._]*|r)__[^/]+\.sql$/,
      /(?:^|\/)drizzle\/\d+_[^/]*\.sql$/,
    ],
  },
  {
    class: 'settings',
    names:
      'jsconfig.json tsconfig.json tslint.json biome.json biome.jsonc dprint.json rome.json cspell.json typedoc.json typings.json ' +
      'api-extractor.json nest-cli.json ormconfig.json ormconfig.js ormconfig.ts ormconfig.yml knexfile.js knexfile.ts ' +
      'codegen.ts codegen.yml codegen.yaml keystone.ts sanity.cli.ts sanity.cli.js config-overrides.js webpack.mix.js wallaby.js testem.js ' +
      'brunch-config.js electron-builder.yml electron-builder.yaml electron-builder.json capacitor.config.json ionic.config.json ' +
      'karma.json jasmine.json jest.json mocha.opts cypress.json cypress.env.json nyc.json ava.json release.json ' +
      'pylintrc pylintrc.toml ruff.toml mypy.ini pytest.ini pytest.toml pyrightconfig.json pyre_configuration pytype.cfg bandit.yaml bandit.yml flake8 ' +
      'conf.py mkdocs.yml mkdocs.yaml zensical.toml _config.yml _config.yaml _quarto.yml book.toml antora.yml docfx.json ' +
      'ipython_config.py jupyter_notebook_config.py jupyter_server_config.py jupyter_lab_config.py gunicorn_config.py alembic.ini scrapy.cfg ' +
      'dbt_project.yml profiles.yml airflow.cfg dagster.yaml workspace.yaml prefect.yaml schema.prisma prisma.yml sqlc.yaml sqlc.yml ' +
      'buf.yaml buf.gen.yaml buf.work.yaml atlas.hcl liquibase.properties flyway.toml gqlgen.yml ' +
      'clippy.toml rustfmt.toml deny.toml cbindgen.toml golangci.yml staticcheck.conf air.toml checkstyle.xml pmd.xml detekt.yml ' +
      'spotbugs.xml lombok.config application.yml application.yaml bootstrap.yml bootstrap.yaml log4j.xml log4j2.xml persistence.xml web.xml ' +
      'androidmanifest.xml phpunit.xml phpunit.xml.dist phpcs.xml phpcs.xml.dist psalm.xml phpstan.neon rector.php ecs.php wp-config.php ' +
      'analysis_options.yaml build.yaml l10n.yaml swiftgen.yml sonar-project.properties hiera.yaml credo.exs ' +
      'config.ru puma.rb unicorn.rb mint.json appsettings.json launchsettings.json stylelint.json commitlint.json ' +
      'lint-staged.json prettier.json vetur.config.js snapcraft.yaml tauri.conf.json release-please-config.json',
    paths: [
      // The form that most tools agree on: <tool>.config.<extension>.
      new RegExp(
        String.raw`(?:^|\/)[^/]+\.(?:config|conf|workspace|rc)\.(?:[cm]?[jt]sx?|coffee|py|rb|php|lua|${DATA})$`,
      ),
      /(?:^|\/)(?:ts|js)config[^/]*\.json$/,
      /(?:^|\/)(?:application|bootstrap|appsettings|logback|log4j2?)[-.][^/]*\.(?:ya?ml|json|xml)$/,
      /(?:^|\/)(?:logback|log4j2?)\.xml$/,
      new RegExp(
        String.raw`^(?:(?:apps|packages)\/[^/]+\/)?config\/(?:default|local|production|development|staging|test|custom-environment-variables)[^/]*\.(?:[cm]?[jt]s|${DATA})$`,
      ),
      /(?:^|\/)src\/(?:main|test)\/resources\/(?:config\/)?[^/]+\.(?:xml|ya?ml|json)$/,
      /\.(?:toml|ini|cfg|conf|config|cnf|properties|plist|props|targets|neon|prisma|hocon|edn|dhall|cue|jsonnet|libsonnet|ruleset|runsettings|entitlements|xcconfig|editorconfig|reg|tmlanguage|snippets|admx|mobileconfig|mobileprovision|ovpn|dist)$/,
    ],
  },
  {
    class: 'program',
    paths: [
      /\.(?:sh|bash|zsh|fish|ksh|csh|tcsh|dash|nu|elv|xsh|awk|sed|expect|tcl|command|tool|bat|cmd|ps1|psm1|psd1|ps1xml|pssc|cdxml|vbs?|vbe|jse|wsf|wsh|wsc|sct|hta|scr|pif|cpl|msc|com|exe|msi|msp|dll|ocx|drv|sys|so|dylib|node|bin|elf|out|run|wasm|wat|jar|war|ear|class|pyd|pyz|pyw|pex|whl|egg|gem|deb|rpm|apk|aab|ipa|xpi|crx|vsix|app|appimage|snap|flatpak|dmg|pkg|iso|img|o|obj|a|lib|ko|lnk|desktop|url|webloc|inetloc|scpt|scptd|applescript|workflow|action|jnlp|ipynb|kts|csx|fsx|exs|phar|pl|pm|t|rhtml|asp|aspx|ashx|asmx|cgi|fcgi|jsp|jspx|docm|xlsm|pptm|xlam|dotm|one|chm|hlp|library-ms|search-ms|settingcontent-ms|theme|ade|adp|mdb|accdb)$/,
      /\.so\.[\d.]+$/,
    ],
  },
];

/**
 * The kinds of source files that a build writes without a question, by extension. Nothing here is started by itself, and
 * no tool looks for settings in any file of the kind: what code does is judged by the checks when the project imports it.
 */
export const SOURCE_KINDS = {
  code:
    'js mjs cjs jsx ts mts cts tsx py pyi go rs java kt scala clj cljs cljc cs fs fsi c h cc cpp cxx hh hpp hxx m mm swift dart ' +
    'rb php ex erl hrl elm hs ml mli re res nim zig jl r lua gleam cr v d sol move cairo vy',
  components: 'vue svelte astro marko riot',
  styles: 'css scss sass less styl pcss postcss',
  templates:
    'html htm hbs handlebars mustache ejs eta pug njk liquid jinja jinja2 j2 tmpl gohtml erb haml slim twig heex leex cshtml razor',
  data: 'json json5 jsonc jsonl ndjson geojson csv tsv yaml yml xml xsd xsl xslt graphql gql proto thrift avsc capnp fbs',
  database: 'sql pgsql',
  text: 'txt md mdx markdown rst adoc tex bib po pot ftl arb strings vtt srt',
  images: 'png jpg jpeg gif webp avif apng bmp ico svg tif tiff heic',
  media: 'mp3 mp4 m4a m4v webm ogg oga ogv wav flac aac mov',
  fonts: 'woff woff2 ttf otf eot',
  shaders: 'glsl vert frag wgsl hlsl',
  documents: 'pdf',
} as const satisfies Record<string, string>;

/** Names without an extension that are texts of people, and the mark of typed Python packages. */
export const TEXT_NAMES =
  'license licence copying notice authors contributors maintainers readme changelog py.typed';
