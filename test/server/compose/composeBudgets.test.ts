import { expect } from 'chai'
import { createOrganisation } from '../../builders/participants.ts'
import { api } from '../../harness/service/api.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

const NOW = Date.now()

describe('composeBudgets', () => {
  /** Name of the budget, its settings, and a call that counts against it, with the status of one that is admitted. */
  const BUDGETS = [
    ['verify', 'VERIFY', ['POST', '/api/agents/verify-access', { body: {} }], 400],
    ['api', 'API', ['GET', '/api/activity', {}], 200],
  ] as const
  for (const [name, setting, [method, path, request], admitted] of BUDGETS) {
    describe(`of calls with a key: ${name}`, () => {
      let service: StartedService
      before(async () => {
        service = await startService({
          settings: {
            [`${setting}_RATE_PER_MINUTE`]: '5',
            [`${setting}_RATE_PER_MINUTE_PER_ACCOUNT`]: '8',
            TRUSTED_PROXIES: '127.0.0.1',
          },
          clock: () => NOW,
        })
      })
      after(() => service?.stop())

      /** Calls of a key from an address: how many were admitted, and the rule that refused the last. */
      const call = async (bearer: string, ip: string, times: number) => {
        const answers = []
        for (let nth = 0; nth < times; nth += 1) {
          const headers = { 'x-forwarded-for': ip }
          answers.push(await api(service.baseUrl, method, path, { ...request, bearer, headers }))
        }
        const last = answers.at(-1)
        const refused = last?.status === 429 ? last.headers.get('ratelimit-policy')?.split(';')[0] : null
        if (refused) expect(Number(last?.headers.get('retry-after'))).to.be.within(1, 60)
        return [answers.filter(({ status }) => status === admitted).length, refused]
      }

      it('count for the person behind the keys, whatever organisation they belong to', async () => {
        const ada = await createOrganisation(service.baseUrl)
        const { accessToken: bearer } = ada
        const { organizationId } = (
          await api(service.baseUrl, 'POST', '/api/organizations', { bearer, body: { name: 'Second' } })
        ).body
        const body = { name: 'second', organizationId }
        const { key } = (await api(service.baseUrl, 'POST', '/api/api-keys', { bearer, body })).body
        expect(await call(ada.personalKey, '198.51.100.1', 9)).to.deep.equal([5, `"${name}"`])
        expect(await call(ada.apiKey, '198.51.101.1', 4)).to.deep.equal([3, `"${name}-account"`])
        expect(await call(key, '198.51.102.1', 1)).to.deep.equal([0, `"${name}-account"`])
      })

      it('count for the network of all accounts behind it', async () => {
        const counts = []
        for (let nth = 1; nth <= 9; nth += 1) {
          const { apiKey } = await createOrganisation(service.baseUrl)
          counts.push((await call(apiKey, nth % 2 ? `203.0.113.${nth}` : `::ffff:203.0.113.${nth}`, 5))[0])
        }
        expect(counts).to.deep.equal([5, 5, 5, 5, 5, 5, 5, 5, 0])
        const { apiKey } = await createOrganisation(service.baseUrl)
        expect(await call(apiKey, '203.0.113.200', 1)).to.deep.equal([0, `"${name}-network"`])
        expect(await call(apiKey, '203.0.114.200', 1)).to.deep.equal([1, null])
      })
    })
  }

  describe('of what anyone may do', () => {
    let service: StartedService
    before(async () => {
      service = await startService({
        settings: {
          ...{ SIGN_IN_RATE_PER_15_MINUTES: '2', SIGN_UP_RATE_PER_HOUR: '1', OUTREACH_RATE_PER_HOUR: '1' },
          TRUSTED_PROXIES: '127.0.0.1',
        },
        clock: () => NOW,
      })
    })
    after(() => service?.stop())

    const send = async (path: string, ip: string, body: object) => {
      const headers = { 'x-forwarded-for': ip }
      const { status, headers: sent } = await api(service.baseUrl, 'POST', path, { body, headers })
      return [status, status === 429 ? (sent.get('ratelimit-policy')?.split(';')[0] ?? 'locked') : null]
    }
    const password = 'plinth ocarina 77'
    const OPERATIONS: [path: string, rule: string, body: (nth: number) => object][] = [
      ['/api/auth/login', 'login', (nth) => ({ email: `ada+${nth}@people.io`, password })],
      ['/api/agents/request-registration', 'request-registration', () => ({})],
      [
        '/api/auth/register',
        'sign-up',
        (nth) => ({ email: `bea+${nth}@people.io`, password, fullName: 'Bea', accountType: 'individual' }),
      ],
    ]
    for (const [nthPath, [path, rule, body]] of OPERATIONS.entries()) {
      it(`count for an address, and for a /48 of IPv6 sixteen times as much: ${path}`, async () => {
        const max = rule === 'login' ? 2 : 1
        const site = `2001:db8:${nthPath}`
        for (let nth = 0; nth < 16 * max; nth += 1) {
          const [, refusedBy] = await send(path, `${site}:${Math.floor(nth / max)}::1`, body(nth))
          expect(refusedBy, String(nth)).to.equal(null)
        }
        expect(await send(path, `${site}:0::2`, body(100))).to.deep.equal([429, `"${rule}"`])
        expect(await send(path, `${site}:ffff::1`, body(100))).to.deep.equal([429, `"${rule}-site"`])
        expect((await send(path, `2001:db8:f${nthPath}::1`, body(100)))[1]).to.equal(null)
      })
    }

    it('lock an account for a whole /48 of IPv6, and for nobody else', async () => {
      const guess = { email: 'cleo@people.io', password: 'a wrong password' }
      for (let nth = 0; nth < 10; nth += 1) {
        expect((await send('/api/auth/login', `2001:db8:e:${nth}::1`, guess))[0]).to.equal(401)
      }
      expect((await send('/api/auth/login', '2001:db8:e:ffff::1', guess))[0]).to.equal(429)
      expect((await send('/api/auth/login', '2001:db8:d::1', guess))[0]).to.equal(401)
    })
  })

  it('gives a signed-in account five times the calls of a key, separately, because a page makes several', async () => {
    const service = await startService({ settings: { API_RATE_PER_MINUTE: '3' }, clock: () => NOW })
    try {
      const { accessToken, personalKey } = await createOrganisation(service.baseUrl)
      const call = async (bearer: string) =>
        (await api(service.baseUrl, 'GET', '/api/activity', { bearer })).status
      const callUntilRefused = async (bearer: string) => {
        let admitted = 0
        while (admitted < 100 && (await call(bearer)) === 200) admitted += 1
        return admitted
      }
      expect(await callUntilRefused(personalKey)).to.equal(3)
      // The account's first calls created the organisation and its keys.
      expect(await callUntilRefused(accessToken)).to.be.within(8, 14)
      expect([await call(personalKey), await call(accessToken)]).to.deep.equal([429, 429])
    } finally {
      await service.stop()
    }
  })

  it('limits the calls of signed-in accounts by network as well', async () => {
    const service = await startService({
      settings: {
        API_RATE_PER_MINUTE: '5',
        API_RATE_PER_MINUTE_PER_ACCOUNT: '8',
        TRUSTED_PROXIES: '127.0.0.1',
      },
      clock: () => NOW,
    })
    try {
      const ada = await createOrganisation(service.baseUrl)
      const bea = await createOrganisation(service.baseUrl)
      const cleo = await createOrganisation(service.baseUrl)
      const refusedBy = async ({ accessToken: bearer }: { accessToken: string }, ip: string) => {
        const headers = { 'x-forwarded-for': ip }
        let last = await api(service.baseUrl, 'GET', '/api/activity', { bearer, headers })
        for (let nth = 1; nth < 30 && last.status === 200; nth += 1)
          last = await api(service.baseUrl, 'GET', '/api/activity', { bearer, headers })
        return last.headers.get('ratelimit-policy')?.split(';')[0]
      }
      expect(await refusedBy(ada, '203.0.113.1')).to.equal('"api-session"')
      await refusedBy(bea, '203.0.113.2')
      expect(await refusedBy(cleo, '203.0.113.3')).to.equal('"api-session-network"')
      const headers = { 'x-forwarded-for': '203.0.114.1' }
      const elsewhere = await api(service.baseUrl, 'GET', '/api/activity', {
        bearer: cleo.accessToken,
        headers,
      })
      expect(elsewhere.status).to.equal(200)
    } finally {
      await service.stop()
    }
  })

  it('limits sign-ins per address as configured, and nonces and passkey options separately', async () => {
    const service = await startService({ settings: { SIGN_IN_RATE_PER_15_MINUTES: '3' } })
    const statusOf = async (method: string, path: string, body?: object) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
      return (await fetch(service.baseUrl + path, { method, ...sent })).status
    }
    try {
      const logIn = (n: number) =>
        statusOf('POST', '/api/auth/login', { email: `p${n}@people.io`, password: 'wrong password' })
      expect([await logIn(1), await logIn(2), await logIn(3), await logIn(4)]).to.deep.equal([
        401, 401, 401, 429,
      ])
      for (let n = 0; n < 5; n += 1) {
        expect(await statusOf('GET', '/api/auth/siwe/nonce')).to.equal(200)
        expect(await statusOf('POST', '/api/auth/passkeys/authentication/options', {})).to.equal(200)
      }
      expect(await logIn(5)).to.equal(429)
    } finally {
      await service.stop()
    }
  })
})
