import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const LOCAL_BASE = 'localhost/svc-registry-base'
const MOUNTED_CA = '/tmp/ca.pem'

const { values } = parseArgs({
  options: {
    tag: { type: 'string', default: 'svc-registry' },
    target: { type: 'string', default: 'service' },
    'local-base': { type: 'boolean', default: false },
    // Where this machine trusts another authority, npm in the image has to as well.
    'ca-file': { type: 'string', default: process.env.NODE_EXTRA_CA_CERTS },
  },
})

if (values['local-base']) buildLocalBase()
run(
  'buildah',
  'build',
  // The format of OCI has no HEALTHCHECK.
  ...['--format', 'docker', '--file', 'Containerfile', '--tag', values.tag],
  ...['--target', values.target],
  ...(values['local-base']
    ? ['BASE', 'POSTGRES'].flatMap((name) => ['--build-arg', `${name}=${LOCAL_BASE}`])
    : []),
  ...(values['ca-file'] === undefined ? [] : trust(values['ca-file'])),
  '.',
)

/** Lets npm trust the certificate authority of a proxy while it installs; the image does not contain it. */
function trust(file: string): string[] {
  return ['--volume', `${resolve(file)}:${MOUNTED_CA}:ro`, '--build-arg', `NODE_EXTRA_CA_CERTS=${MOUNTED_CA}`]
}

/**
 * Builds a base from Debian's packages, Node of this project and the npm of this machine, where no registry is reached. For
 * backups it contains the client programs of Debian's PostgreSQL, which is older than that of compose.yaml.
 */
function buildLocalBase(): void {
  const folder = mkdtempSync(join(tmpdir(), 'svc-base-'))
  try {
    const packages = values.target === 'backup' ? 'ca-certificates,postgresql-client' : 'ca-certificates'
    run('debootstrap', '--variant=minbase', `--include=${packages}`, 'bookworm', folder)
    const local = join(folder, 'usr/local')
    mkdirSync(join(local, 'lib/node_modules'), { recursive: true })
    cpSync(process.execPath, join(local, 'bin/node'))
    cpSync(findNpm(), join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
    const container = execFileSync('buildah', ['from', 'scratch'], { encoding: 'utf8' }).trim()
    run('buildah', 'add', '--quiet', container, folder, '/')
    run('buildah', 'commit', '--quiet', '--rm', container, LOCAL_BASE)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The folder of the npm that runs this script. */
function findNpm(): string {
  const { npm_execpath: cli } = process.env
  if (cli === undefined) throw new Error('Start this with "npm run image"')
  return dirname(createRequire(cli).resolve('../package.json'))
}

function run(command: string, ...words: string[]): void {
  execFileSync(command, words, { cwd: ROOT, stdio: 'inherit' })
}
