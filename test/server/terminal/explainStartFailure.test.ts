import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { apiError } from '../../../server/errors.ts'
import { explainStartFailure } from '../../../server/terminal/explainStartFailure.ts'
import { listen } from '../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'
import { spawnService } from '../../harness/service/spawnService.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

describe('a failed start', function () {
  this.timeout(60_000)
  let folder: ReturnType<typeof createTemporaryFolder>

  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())

  /** Starts the service and returns what it wrote before it ended with exit code 1. */
  async function failedStart(settings: Record<string, string>): Promise<string> {
    const given = {
      DATA_DIR: join(folder.path, 'data'),
      REGISTRATION_FILES_DIR: join(folder.path, 'files'),
      PORT: String(await findFreePort()),
      CHAIN_PORT: '0',
      LOG_FORMAT: 'text',
      ...settings,
    }
    const { message } = await spawnService(given).then(
      async (service) => {
        await service.end('SIGTERM')
        return new Error('it started')
      },
      (error: Error) => error,
    )
    const [, how, output = ''] = /^the service exited (.+) before it was ready: (.*)$/s.exec(message) ?? []
    expect(how, message).to.equal('with code 1')
    return output
  }

  /** Expects a single sentence, with what to do, and no stack trace. */
  async function expectSentence(settings: Record<string, string>, ...parts: string[]): Promise<void> {
    const output = await failedStart(settings)
    const sentences = output.split('\n').filter((line) => line.startsWith('Cannot start: '))
    expect(sentences, output).to.have.length(1)
    for (const part of parts) expect(sentences[0]).to.include(part)
    expect(output).to.not.match(/^ +at /m)
  }

  it('names a taken port, and the setting that changes it', async () => {
    const taken = await listen((_, res) => res.end())
    try {
      const { port } = new URL(taken.url)
      await expectSentence({ PORT: port }, `Port ${port} is taken`, 'set PORT to another one')
    } finally {
      await taken.stop()
    }
  })

  it('names a taken port of the local chain, and the setting that changes it', async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
    })
    try {
      await expectSentence({ CHAIN_PORT: String(port) }, `Port ${port} is in use`, 'set CHAIN_PORT')
    } finally {
      taken.close()
    }
  })

  it('names a setting with a bad value, and its default', async () => {
    await expectSentence({ PORT: 'abc' }, 'Setting PORT: expected a whole number', 'for the default: 3000')
  })

  it('names the misspelt setting that was meant', async () => {
    await expectSentence(
      { LOG_FORMATT: 'json' },
      'Setting LOG_FORMATT is not known; did you mean LOG_FORMAT?',
    )
  })

  it('names a host that is not of this machine', async () => {
    await expectSentence({ HOST: '192.0.2.1' }, 'Setting HOST: 192.0.2.1 is not an address of this machine')
  })

  it('names a folder that cannot be written to', async () => {
    const file = join(folder.path, 'file')
    writeFileSync(file, '')
    const advice = 'correct its owner and permissions, or name another folder'
    await expectSentence({ DATA_DIR: file }, `Setting DATA_DIR: ${file}`, advice)
    if (process.platform === 'linux') await expectSentence({ DATA_DIR: '/proc/svc' }, '/proc/svc', advice)
  })

  it('says that another program has locked the database', async () => {
    const dataDir = join(folder.path, 'locked')
    mkdirSync(dataDir)
    const other = new Database(join(dataDir, 'svc.sqlite'))
    other.exec('CREATE TABLE x (a); BEGIN EXCLUSIVE')
    try {
      const sentence = `Another program has locked the database in ${dataDir}: close that program`
      await expectSentence({ DATA_DIR: dataDir }, sentence)
    } finally {
      other.close()
    }
  })

  it('says that a file is not a database', async () => {
    const dataDir = join(folder.path, 'damaged')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'svc.sqlite'), 'x'.repeat(8192))
    await expectSentence({ DATA_DIR: dataDir }, 'is damaged or not a database: restore a backup')
  })

  it('names an unreachable PostgreSQL without its password', async () => {
    const settings = { DATABASE_URL: 'postgres://svc:secret-word@127.0.0.1:9/svc', SECRETS_KEY: KEY }
    await expectSentence(settings, 'PostgreSQL at 127.0.0.1:9 does not respond (ECONNREFUSED): start it')
    expect(await failedStart(settings)).to.not.include('secret-word')
  })

  it('has a line of JSON with the reason where programs read the log, and the stack from debug on', async () => {
    const settings = { DATA_DIR: join(folder.path, 'data'), HOST: '192.0.2.1', LOG_FORMAT: 'json' }
    const output = await failedStart({ ...settings, LOG_LEVEL: 'error' })
    const entry = JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? '{}')
    expect(entry).to.include({ level: 60, msg: 'the service could not start' })
    expect(entry.reason).to.include('Setting HOST')
    expect(output).to.not.include('"stack"')
    expect(await failedStart({ ...settings, LOG_LEVEL: 'debug' })).to.include('"stack"')
  })
})

describe('explainStartFailure', () => {
  const place = { dataDir: '/data', databaseUrl: 'postgres://svc:secret-word@db:5432/registry' }
  const fail = (code: string) => Object.assign(new Error('raw'), { code })

  for (const [code, sentence] of [
    ['28P01', 'does not admit the user svc: correct the name and password in DATABASE_URL'],
    ['3D000', 'has no database registry: create it'],
    ['25006', 'PostgreSQL at db:5432 is read-only, as a standby is: name the primary in DATABASE_URL'],
    ['ENOTFOUND', 'PostgreSQL at db:5432 does not respond'],
  ] as const) {
    it(`explains ${code} of PostgreSQL without its password`, () => {
      const explained = explainStartFailure(fail(code), place)
      expect(explained).to.include(sentence).and.not.include('secret-word')
    })
  }

  it('explains the cause of a failure that was translated for callers', () => {
    const translated = apiError('SERVICE_UNAVAILABLE', { cause: fail('25006') })
    expect(explainStartFailure(translated, place)).to.include('is read-only, as a standby is')
  })

  it('names every host of PostgreSQL', () => {
    const databaseUrl = 'postgres://svc:secret-word@a:1,b:2/registry'
    expect(explainStartFailure(fail('28P01'), { ...place, databaseUrl })).to.include(
      'PostgreSQL at a:1 or b:2 does',
    )
  })

  for (const [code, path, sentence] of [
    ['SQLITE_READONLY_DBMOVED', undefined, 'cannot be read and written'],
    ['EACCES', '/data/secrets-key', 'correct their owner and permissions'],
    ['ENOSPC', '/data/svc.sqlite', 'The disk of /data is full'],
  ] as const) {
    it(`explains ${code} of the data folder`, () => {
      const error = Object.assign(fail(code), path === undefined ? {} : { path })
      expect(explainStartFailure(error, { ...place, databaseUrl: undefined })).to.include(sentence)
    })
  }

  it('does not blame the data folder for a file elsewhere', () => {
    const error = Object.assign(fail('EACCES'), { path: '/etc/roots.pem' })
    expect(explainStartFailure(error, { ...place, databaseUrl: undefined })).to.equal('raw')
  })

  it('says how to find a fault of the service', () => {
    expect(explainStartFailure(new TypeError('x is undefined'), place)).to.equal(
      'x is undefined (LOG_FORMAT=json LOG_LEVEL=debug shows where)',
    )
  })

  it('passes on the sentence of every other error', () => {
    expect(explainStartFailure(new Error('Port 1 is taken'), place)).to.equal('Port 1 is taken')
  })
})
