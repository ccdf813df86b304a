import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import { listen } from '../../harness/peers/listen.ts'
import { api } from '../../harness/service/api.ts'
import { errorOf, json } from '../openSvc.ts'
import { openSvcScene, PERSON, type SvcScene, type SvcUser } from '../openSvcScene.ts'

describe('svc login', function () {
  this.timeout(120_000)
  let scene: SvcScene
  let svc: SvcUser

  before(async () => {
    scene = await openSvcScene()
  })
  after(() => scene?.service.stop())
  beforeEach(() => {
    svc = scene.openUser()
  })
  afterEach(() => svc.remove())
  it('stores an accepted key in a file for its owner only, and prints no part of it', async () => {
    const run = await svc.loginByKey()
    expect(run, run.err).to.include({ code: 0 })
    expect(run.out).to.equal(`Signed in to ${scene.service.baseUrl}/api with an API key.\n`)
    expect(run.out + run.err).to.not.include(scene.apiKey.slice(-8))
    expect(statSync(svc.credentialsFile).mode & 0o777).to.equal(0o600)
    expect(statSync(join(svc.credentialsFile, '..')).mode & 0o777).to.equal(0o700)
    expect(JSON.parse(readFileSync(svc.credentialsFile, 'utf8')).apiKey).to.equal(scene.apiKey)
  })

  it('reads the key from standard input as a process, too', async () => {
    const run = await svc
      .start(['login', '--url', scene.service.baseUrl, '--key'], `${scene.apiKey}\n`)
      .ended()
    expect(run, run.err).to.include({ code: 0, err: '' })
    expect(run.out).to.not.include(scene.apiKey.slice(-8))
    expect(statSync(svc.credentialsFile).mode & 0o777).to.equal(0o600)
  })

  it('asks for the code of a second factor', async () => {
    const person = { email: 'second@people.io', password: PERSON.password }
    const post = (path: string, body: object, bearer?: string) =>
      api(scene.service.baseUrl, 'POST', path, { body, ...(bearer === undefined ? {} : { bearer }) })
    const signedUp = await post('/api/auth/register', {
      ...{ ...person, fullName: 'A Person', accountType: 'individual' },
    })
    const bearer = signedUp.body.data.accessToken
    const { secret } = (await post('/api/auth/mfa/totp', {}, bearer)).body
    const code = (steps: number) =>
      generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
    await post('/api/auth/mfa/totp/confirm', { code: code(0) }, bearer)
    const words = ['login', '--url', scene.service.baseUrl, '--email', person.email]
    // The code that confirmed the app cannot be used again.
    const run = await svc.run(words, PERSON.password, code(1))
    expect(run, run.err).to.include({ code: 0 })
    expect((await svc.run(['agents'])).out).to.equal('No agents.\n')
    expect((await svc.run(words, PERSON.password, '000000')).code).to.equal(4)
  })

  it('stores a session next to the key, but not the password', async () => {
    await svc.loginByKey()
    const run = await svc.run(['login', '--email', PERSON.email, '--json'], PERSON.password)
    expect(json(run)).to.deep.equal({
      url: `${scene.service.baseUrl}/api`,
      kind: 'session',
      account: PERSON.email,
    })
    const stored = readFileSync(svc.credentialsFile, 'utf8')
    expect(Object.keys(JSON.parse(stored)).sort()).to.deep.equal(['apiBaseUrl', 'apiKey', 'session'])
    expect(stored).to.not.include(PERSON.password)
  })

  it('stores nothing for a wrong key or password, and exits with 4', async () => {
    const byKey = await svc.loginByKey('svc_live_wrong')
    expect(byKey.code).to.equal(4)
    expect(byKey.err).to.include('does not accept these credentials').and.not.include('svc_live_wrong')
    expect((await svc.loginByPassword('wrong horse battery')).code).to.equal(4)
    expect(existsSync(svc.credentialsFile)).to.equal(false)
  })

  it('never sends a stored credential to another service', async () => {
    await svc.loginByKey()
    const other = await listen((_, res) => res.end('{"success":true,"items":[],"nextCursor":null}'))
    try {
      await svc.run(['login', '--url', other.url, '--key'], 'another')
      const stored = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
      expect(stored).to.deep.equal({ apiBaseUrl: `${other.url}/api`, apiKey: 'another' })
    } finally {
      await other.stop()
    }
  })

  it('stores nothing if another server responds', async () => {
    const other = await listen((_, res) => res.end('{"success":true}'))
    try {
      for (const kind of [['--key'], ['--email', PERSON.email]]) {
        const run = await svc.run(['login', '--url', other.url, ...kind, '--json'], 'secret')
        expect(run.code).to.equal(2)
        expect(errorOf(run).code).to.equal('INVALID_RESPONSE')
      }
      expect(existsSync(svc.credentialsFile)).to.equal(false)
    } finally {
      await other.stop()
    }
  })

  it('says that there is no key or password to read', async () => {
    for (const [kind, missing] of [
      [['--key'], 'There is no API key on standard input.'],
      [['--email', PERSON.email], 'There is no password on standard input.'],
    ] as const) {
      const run = await svc.run(['login', '--url', scene.service.baseUrl, ...kind], '')
      expect([run.code, run.err.split('\n')[0]]).to.deep.equal([2, missing])
    }
  })

  it('refuses an unencrypted connection to another machine', async () => {
    const run = await svc.run(['login', '--url', 'http://svc.example', '--key'], 'k')
    expect(run.code).to.equal(2)
    expect(run.err).to.include('--insecure')
  })

  it('refuses a file that others may read', async () => {
    await svc.loginByKey()
    chmodSync(svc.credentialsFile, 0o644)
    const run = await svc.run(['events'])
    expect(run.code).to.equal(2)
    expect(run.err).to.include(`chmod 600 ${svc.credentialsFile}`)
  })

  it('is undone by logout, which ends the session and removes the credentials', async () => {
    await svc.loginByPassword()
    const { session } = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
    expect(json(await svc.run(['logout', '--json']))).to.deep.equal({ wasSignedIn: true })
    expect(existsSync(svc.credentialsFile)).to.equal(false)
    const { refreshToken } = session
    const renewed = await api(scene.service.baseUrl, 'POST', '/api/auth/refresh', { body: { refreshToken } })
    expect(renewed.status).to.equal(401)
  })
})
