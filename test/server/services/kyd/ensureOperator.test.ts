import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig } from '../../../../server/config.ts'
import { OPERATOR_SETTINGS } from '../../../builders/signInOperator.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const EMAIL = OPERATOR_SETTINGS.SVC_OPERATOR_EMAIL.toLowerCase()
const PASSWORD = OPERATOR_SETTINGS.SVC_OPERATOR_PASSWORD

describe('the first operator', () => {
  const folders: string[] = []
  let service: StartedService | undefined

  afterEach(async () => {
    await service?.stop()
    service = undefined
  })
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const folder = () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
    folders.push(dataDir)
    return dataDir
  }
  const start = async (dataDir: string, settings: Record<string, string> = OPERATOR_SETTINGS) => {
    await service?.stop()
    service = undefined
    service = await startService({ dataDir, settings })
    return service
  }
  const logIn = async ({ baseUrl }: StartedService, password: string) => {
    const { status, body } = await api(baseUrl, 'POST', '/api/auth/login', {
      body: { email: EMAIL, password },
    })
    return [status, body.data?.user.role]
  }
  const register = ({ baseUrl }: StartedService, password: string) => {
    const body = { email: EMAIL, password, fullName: 'A Person', accountType: 'individual' }
    return api(baseUrl, 'POST', '/api/auth/register', { body })
  }

  it('is created at the first start, and unchanged at the next, whatever the configured password', async () => {
    const dataDir = folder()
    expect(await logIn(await start(dataDir), PASSWORD)).to.deep.equal([200, 'operator'])
    const changed = { ...OPERATOR_SETTINGS, SVC_OPERATOR_PASSWORD: 'another one that nobody guesses' }
    const again = await start(dataDir, changed)
    expect(await logIn(again, PASSWORD)).to.deep.equal([200, 'operator'])
    expect(await again.rows('SELECT id FROM users WHERE role = ?', 'operator')).to.have.length(1)
  })

  it('may be an account with the verified address, whose password stays unchanged', async () => {
    const dataDir = folder()
    const before = await start(dataDir, {})
    await register(before, 'their own password')
    await before.rows('UPDATE users SET email_verified_at = 1 WHERE email = ?', EMAIL)
    const after = await start(dataDir)
    expect(await logIn(after, 'their own password')).to.deep.equal([200, 'operator'])
    expect((await logIn(after, PASSWORD))[0]).to.equal(401)
  })

  it('may be an account with this very password', async () => {
    const dataDir = folder()
    await register(await start(dataDir, {}), PASSWORD)
    expect(await logIn(await start(dataDir), PASSWORD)).to.deep.equal([200, 'operator'])
  })

  it('is never an account with an unverified address and another password', async () => {
    const dataDir = folder()
    await register(await start(dataDir, {}), 'a password of a stranger')
    const failure = await start(dataDir).catch((error: unknown) => error)
    expect(String(failure)).to.contain('SVC_OPERATOR_EMAIL').and.to.contain('has not proven the address')
    expect(String(failure)).not.to.contain(PASSWORD)
    expect(await logIn(await start(dataDir, {}), 'a password of a stranger')).to.deep.equal([200, 'user'])
  })

  it('cannot have a common password', async () => {
    const settings = { ...OPERATOR_SETTINGS, SVC_OPERATOR_PASSWORD: 'password123' }
    const failure = await start(folder(), settings).catch((error: unknown) => error)
    expect(String(failure)).to.contain('SVC_OPERATOR_PASSWORD').and.not.to.contain('password123')
  })

  it('must be configured completely', () => {
    const { SVC_OPERATOR_EMAIL, SVC_OPERATOR_PASSWORD } = OPERATOR_SETTINGS
    expect(() => readConfig({ SVC_OPERATOR_EMAIL })).to.throw('Setting SVC_OPERATOR_PASSWORD is missing')
    expect(() => readConfig({ SVC_OPERATOR_PASSWORD })).to.throw('Setting SVC_OPERATOR_EMAIL is missing')
    expect(() => readConfig({ ...OPERATOR_SETTINGS, SVC_OPERATOR_EMAIL: 'nobody' })).to.throw(
      'SVC_OPERATOR_EMAIL',
    )
    expect(() => readConfig({ ...OPERATOR_SETTINGS, SVC_OPERATOR_PASSWORD: 'short' })).to.throw(
      'SVC_OPERATOR_PASSWORD',
    )
    expect(() => readConfig({ KYD_RETENTION_DAY: '1' })).to.throw('KYD_RETENTION_DAY is not known')
    expect(() => readConfig({ KYD_RETENTION_DAYS: '-1' })).to.throw('KYD_RETENTION_DAYS')
  })
})
