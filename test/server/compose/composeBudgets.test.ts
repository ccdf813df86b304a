import { expect } from 'chai'
import { startService } from '../../harness/service/startService.ts'

describe('composeBudgets', () => {
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
