import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { signHeaders } from '../../../../builders/participants.ts'
import { api } from '../../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../../harness/service/startService.ts'

const REGISTER = '/api/agents/register'
const HOUR_MS = 3_600_000

describe('the budget of registrations', () => {
  let service: StartedService
  const time = { now: Date.now() }
  before(async () => {
    service = await startService({
      settings: { REGISTRATION_RATE_PER_HOUR: '20', TRUSTED_PROXIES: '127.0.0.1' },
      clock: () => time.now,
    })
  })
  after(() => service?.stop())

  /** Registers an agent by a signed request that comes from an address. */
  const register = async (
    ip: string,
    { account = newAccount(), body = { name: 'Shopper' } as object } = {},
  ) => {
    const timestamp = Math.floor(time.now / 1000)
    const signed = { method: 'POST', path: REGISTER, body: JSON.stringify(body), timestamp }
    const headers = { ...(await signHeaders(account, signed)), 'x-forwarded-for': ip }
    return api(service.baseUrl, 'POST', REGISTER, { body, headers })
  }
  const newAccount = () => privateKeyToAccount(generatePrivateKey())
  const count = async (table: string) => {
    const [row] = await service.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)
    return Number(row?.n)
  }

  it('admits twenty of 597 registrations from one network in eleven seconds, each by a new key', async () => {
    const answers = []
    for (let nth = 0; nth < 597; nth += 1) {
      answers.push(await register(nth % 2 === 0 ? '198.51.100.7' : '::ffff:198.51.100.8'))
      time.now += 18
    }
    const statuses = answers.map(({ status }) => status)
    expect(statuses.slice(0, 20)).to.deep.equal(Array(20).fill(201))
    expect(statuses.slice(20)).to.deep.equal(Array(577).fill(429))
    const mints = `relayer_intents WHERE kind = 'identity.mint'`
    expect([await count('agents'), await count('users'), await count(mints)]).to.deep.equal([20, 20, 20])
    const refused = answers.at(-1)
    expect(refused?.body.code).to.equal('RATE_LIMITED')
    expect(Number(refused?.headers.get('retry-after'))).to.be.within(3_580, 3_600)
    expect(refused?.headers.get('ratelimit-policy')).to.equal('"registration-network";q=20;w=3600')
    expect(refused?.headers.get('ratelimit')).to.contain('"registration-network";r=0')
  })

  it('does not concern other networks, and starts again after an hour', async () => {
    expect((await register('198.51.101.7')).status).to.equal(201)
    expect((await register('2001:db8:0:1::1')).status).to.equal(201)
    time.now += HOUR_MS
    expect((await register('198.51.100.7')).status).to.equal(201)
  })

  it('is one of all addresses in a /48 of IPv6', async () => {
    for (let nth = 0; nth < 20; nth += 1) {
      expect((await register(`2001:db8:f:${nth}::1`)).status).to.equal(201)
    }
    expect((await register('2001:db8:f:20::1')).status).to.equal(429)
  })

  it('counts the registrations of one account on all networks', async () => {
    const account = newAccount()
    for (let nth = 0; nth < 20; nth += 1) {
      expect((await register(`2001:db8:${nth}::1`, { account })).status).to.equal(201)
    }
    const refused = await register('2001:db8:20::1', { account })
    expect(refused.status).to.equal(429)
    expect(refused.headers.get('ratelimit-policy')).to.equal('"registration-account";q=20;w=3600')
    expect((await register('2001:db8:20::1')).status).to.equal(201)
  })

  it('is not used up by registrations that are not valid', async () => {
    const ip = '203.0.113.1'
    for (let nth = 0; nth < 25; nth += 1) {
      expect((await register(ip, { body: { name: '' } })).status).to.equal(400)
    }
    expect((await register(ip)).status).to.equal(201)
  })
})
