import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { migratePostgres } from '../../../server/store/database/migratePostgres.ts'
import { faultMode } from '../faults/faultMode.ts'
import { findFreePort } from '../runner/findFreePort.ts'
import { waitUntil } from '../runner/waitUntil.ts'
import { testedDatabase } from './testedDatabase.ts'

const DEBIAN = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs; null if it is not installed. */
const programs: string | null = findNewestPrograms(DEBIAN)

/** Whether a PostgreSQL is available to tests: installed on this machine, or named by TEST_DATABASE_URL. */
export const hasPostgres = programs !== null || process.env.TEST_DATABASE_URL !== undefined

/** Whether this run includes the tests that need PostgreSQL: `npm test` leaves them to `npm run test:postgres`. */
export const testsPostgres = hasPostgres && (testedDatabase === 'postgres' || faultMode !== 'none')

export type PostgresServer = {
  /** URL of its database `postgres`. */
  url: string
  /** Terminates every session immediately, as a power cut would, and starts again on the same data. */
  crash(): Promise<void>
  /** Kills its main process, and with it all others, without starting it again. */
  kill(): Promise<void>
  /** Makes a standby accept writes. */
  promote(): Promise<void>
  stop(): void
}

let shared: Promise<string> | undefined

/** Returns the URL of this test run's cluster, or of the one that TEST_DATABASE_URL names. */
function getSharedServer(): Promise<string> {
  shared ??= process.env.TEST_DATABASE_URL
    ? Promise.resolve(process.env.TEST_DATABASE_URL)
    : startPostgres().then(({ url }) => url)
  return shared
}

export type PostgresDatabase = { url: string; drop(): Promise<void> }

/** Creates an empty database. */
export async function createPostgresDatabase(server?: string): Promise<PostgresDatabase> {
  return create(server ?? (await getSharedServer()), 'template1')
}

/** Creates a database with this version's tables: a copy of a template that is migrated once per process. */
export async function createMigratedDatabase(): Promise<PostgresDatabase> {
  // A cluster that is not ours would keep the template.
  if (process.env.TEST_DATABASE_URL) return createPostgresDatabase()
  migrated ??= migrateTemplate()
  return create(await getSharedServer(), await migrated)
}

let migrated: Promise<string> | undefined

async function migrateTemplate(): Promise<string> {
  const { url } = await createPostgresDatabase()
  await migratePostgres(url)
  return nameOf(url)
}

async function create(serverUrl: string, template: string): Promise<PostgresDatabase> {
  const name = `svc_test_${randomBytes(8).toString('hex')}`
  await administer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

type ClusterOptions = {
  /** A running cluster to copy and follow as a standby. */
  standbyOf?: PostgresServer
  /** By default a free one. */
  port?: number
  /** Additional environment variables of its processes, such as a library to preload. */
  env?: Record<string, string>
}

/** Starts a private cluster that stops with this process; with fsync, because tests assert durability. */
export async function startPostgres({
  standbyOf,
  port: wanted,
  env = {},
}: ClusterOptions = {}): Promise<PostgresServer> {
  if (programs === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  const owner = findClusterOwner()
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const program = (name: string) => join(programs, name)
  const options = { ...owner, cwd: folder, stdio: 'ignore' } as const
  const [fill, words] = standbyOf
    ? ['pg_basebackup', ['-d', standbyOf.url, '-R', '-X', 'stream', '-c', 'fast']]
    : ['initdb', ['-U', 'svc', '-A', 'trust', '-E', 'UTF8']]
  // A service in this process goes on meanwhile.
  await promisify(execFile)(program(fill), ['-D', folder, '--no-sync', ...words], { ...owner, cwd: folder })
  const port = wanted ?? (await findFreePort())
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=on',
    'max_connections=200',
  ]
  const url = `postgres://svc@127.0.0.1:${port}/postgres`
  let postmaster: ChildProcess
  const run = async () => {
    const flags = settings.flatMap((setting) => ['-c', setting])
    postmaster = spawn(program('postgres'), ['-D', folder, ...flags], {
      ...options,
      env: { ...process.env, ...env },
    })
    postmaster.unref()
    await waitUntil(() => isReady(url))
  }
  const end = () => spawnSync(program('pg_ctl'), ['stop', '-D', folder, '-m', 'immediate', '-w'], options)
  const stop = () => {
    end()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  await run()
  return {
    url,
    async crash() {
      end()
      await run()
    },
    async kill() {
      const ended = once(postmaster, 'exit')
      postmaster.kill('SIGKILL')
      await ended
    },
    async promote() {
      await once(spawn(program('pg_ctl'), ['promote', '-D', folder, '-w'], options), 'exit')
    },
    stop() {
      process.off('exit', stop)
      stop()
    },
  }
}

function findNewestPrograms(folder: string): string | null {
  if (!existsSync(folder)) return null
  const versions = readdirSync(folder).sort((a, b) => Number(b) - Number(a))
  const found = versions.map((version) => join(folder, version, 'bin'))
  return found.find((bin) => existsSync(join(bin, 'initdb'))) ?? null
}

/** Finds the user to run PostgreSQL as, which refuses to run as root. */
function findClusterOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function isReady(url: string): Promise<true | null> {
  try {
    await administer(url, 'SELECT 1')
    return true
  } catch {
    return null
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
