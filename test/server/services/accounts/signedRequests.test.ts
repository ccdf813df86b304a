import { expect } from 'chai'
import { type Hex, recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { alterEachByte } from '../../../harness/values/alterEachByte.ts'
import { openAccounts } from './openAccounts.ts'
import {
  INVALID,
  openSignedRequests,
  outcome,
  owner,
  PATH,
  type Signed,
  type SignedRequests,
  wallet,
  withHeaders,
} from './openSignedRequests.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const MINUTE = 60

const other = privateKeyToAccount(generatePrivateKey())

describe('signed requests', () => {
  let accounts: SignedRequests['accounts']
  let asked: SignedRequests['asked']
  let seconds: SignedRequests['seconds']
  let sign: SignedRequests['sign']
  let send: SignedRequests['send']

  before(async () => {
    const opened = await openSignedRequests()
    accounts = opened.accounts
    asked = opened.asked
    seconds = opened.seconds
    sign = opened.sign
    send = opened.send
  })
  after(() => accounts.close())

  const EXPIRED = [401, 'signature_expired']
  const REUSED = [401, 'nonce_reused']
  const storedNonces = async () => (await accounts.db.query('request_nonces').select('nonce')).length

  it('prove control of the address', async () => {
    const signed = await sign()
    const { status, body } = await send(signed)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      kind: 'signature',
      address: owner.address,
      nonce: signed.headers['X-Svc-Nonce'],
    })
  })

  describe('the signature', () => {
    it('is refused with any byte changed, without consuming the nonce', async () => {
      const signed = await sign()
      const signature = signed.headers['X-Svc-Signature'] ?? ''
      const before = await storedNonces()
      const altered = alterEachByte(Buffer.from(signature.slice(2), 'hex'))
      for (const [at, bytes] of altered.entries()) {
        const headers = { 'X-Svc-Signature': `0x${bytes.toString('hex')}`, 'X-Svc-Address': owner.address }
        expect(outcome(await send(withHeaders(signed, headers))), `byte ${at}`).to.deep.equal(INVALID)
      }
      reportFaultFigure(
        `signed request, one bit flipped in each of the ${altered.length} bytes of its signature: 0 accepted`,
      )
      expect(await storedNonces()).to.equal(before)
      expect((await send(signed)).status).to.equal(200)
    })

    it('recovers another address, or none, if the signed content is changed', async () => {
      const signed = await sign()
      const changes: Signed[] = [
        { ...signed, body: '{"a":2}' },
        { ...signed, body: '{"a": 1}' },
        withHeaders(signed, { 'X-Svc-Nonce': 'other' }),
        withHeaders(signed, { 'X-Svc-Timestamp': String(seconds() + 1) }),
        await sign({ method: 'PUT' }),
        await sign({ path: '/api/test/other' }),
      ]
      let renamed = 0
      for (const changed of changes) {
        expect((await send(changed)).body.address).not.to.equal(owner.address)
        const named = withHeaders(changed, { 'X-Svc-Address': owner.address, 'X-Svc-Nonce': `m${++renamed}` })
        expect(outcome(await send(named))).to.deep.equal(INVALID)
      }
    })

    it('is refused with a high s, which anyone can compute from a valid one', async () => {
      const signed = await sign()
      const signature = signed.headers['X-Svc-Signature'] ?? ''
      const highS = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
      const flipped = signature.endsWith('1b') ? '1c' : '1b'
      const malleated = `${signature.slice(0, 66)}${highS}${flipped}` as Hex
      const { message } = signed
      expect(await recoverMessageAddress({ message, signature: malleated })).to.equal(owner.address)
      expect(outcome(await send(withHeaders(signed, { 'X-Svc-Signature': malleated })))).to.deep.equal(
        INVALID,
      )
    })

    it('may end in 0 or 1 instead of 27 or 28, and is still accepted only once', async () => {
      const signed = await sign()
      const signature = signed.headers['X-Svc-Signature'] ?? ''
      const parity = signature.endsWith('1b') ? '00' : '01'
      const other = withHeaders(signed, { 'X-Svc-Signature': signature.slice(0, 130) + parity })
      expect((await send(other)).body.address).to.equal(owner.address)
      expect(outcome(await send(signed))).to.deep.equal(REUSED)
    })

    const zeros = '0'.repeat(64)
    for (const [what, signature] of [
      ['empty', ''],
      ['no hex', 'signature'],
      ['64 bytes', `0x${'11'.repeat(64)}`],
      ['66 bytes', `0x${'11'.repeat(66)}`],
      ['without 0x', '11'.repeat(65)],
      ['v of 29', `0x${'11'.repeat(64)}1d`],
      ['r of zero', `0x${zeros}${'11'.repeat(32)}1b`],
      ['s of zero', `0x${'11'.repeat(32)}${zeros}1b`],
      ['r past the order', `0x${'ff'.repeat(32)}${'11'.repeat(32)}1b`],
    ] as const) {
      it(`is refused when it is ${what}`, async () => {
        const answer = await send(withHeaders(await sign(), { 'X-Svc-Signature': signature }))
        expect(outcome(answer)).to.deep.equal(INVALID)
      })
    }
  })

  describe('the timestamp', () => {
    for (const offset of [-5 * MINUTE, 5 * MINUTE]) {
      it(`may differ from the server’s time by ${offset} seconds, but no more`, async () => {
        expect((await send(await sign({ timestamp: seconds() + offset }))).status).to.equal(200)
        const past = await sign({ timestamp: seconds() + offset + Math.sign(offset) })
        expect(outcome(await send(past))).to.deep.equal(EXPIRED)
      })
    }

    for (const timestamp of ['', '-1', '1e9', '2026-03-02T09:00:00Z', '1.5', '9'.repeat(13)]) {
      it(`is refused as ${JSON.stringify(timestamp)}`, async () => {
        const answer = await send(await sign({ timestamp }))
        expect(outcome(answer)).to.deep.equal(INVALID)
        expect(answer.body.message).to.equal('X-Svc-Timestamp: expected Unix seconds')
      })
    }

    it('is refused when it is missing', async () => {
      const { headers, body } = await sign()
      const { 'X-Svc-Timestamp': _, ...rest } = headers
      expect(outcome(await send({ headers: rest, body }))).to.deep.equal(INVALID)
    })
  })

  describe('the nonce', () => {
    it('is valid once per key', async () => {
      const signed = await sign({ nonce: 'once' })
      expect((await send(signed)).status).to.equal(200)
      expect(outcome(await send(signed))).to.deep.equal(REUSED)
      expect(outcome(await send(await sign({ nonce: 'once', body: '{}' })))).to.deep.equal(REUSED)
      expect((await send(await sign({ nonce: 'once', by: other }))).status).to.equal(200)
    })

    it('is valid for one of two concurrent requests', async () => {
      const signed = await sign()
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(signed)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401, 401])
    })

    it('is stored as long as its request is fresh, and then deleted', async () => {
      const ahead = await sign({ timestamp: seconds() + 5 * MINUTE })
      const start = accounts.time.now
      expect((await send(ahead)).status).to.equal(200)
      accounts.time.now = start + 10 * MINUTE * 1000
      expect(outcome(await send(ahead))).to.deep.equal(REUSED)
      accounts.time.now += 1000
      expect(outcome(await send(ahead))).to.deep.equal(EXPIRED)
      await send(await sign())
      expect(await storedNonces()).to.equal(1)
      accounts.time.now = start
    })

    for (const nonce of ['', 'two words', 'x'.repeat(129), 'é']) {
      it(`is refused as ${JSON.stringify(nonce.slice(0, 12))}`, async () => {
        const headers = { 'X-Svc-Nonce': nonce }
        const answer = await send(withHeaders(await sign(), headers))
        expect(outcome(answer)).to.deep.equal(INVALID)
        expect(answer.body.message).to.equal('X-Svc-Nonce: expected 1 to 128 visible ASCII characters')
      })
    }

    it('is refused when it is missing', async () => {
      const { headers, body } = await sign()
      const { 'X-Svc-Nonce': _, ...rest } = headers
      expect(outcome(await send({ headers: rest, body }))).to.deep.equal(INVALID)
    })
  })

  describe('a named address', () => {
    it('is accepted in any spelling if its key signed, without querying the chain', async () => {
      asked.length = 0
      for (const address of [owner.address, owner.address.toLowerCase()]) {
        const answer = await send(withHeaders(await sign(), { 'X-Svc-Address': address }))
        expect(answer.body.address).to.equal(owner.address)
      }
      expect(asked).to.deep.equal([])
    })

    it('is accepted if it is a contract that accepts the signature, whatever its length', async () => {
      const signed = withHeaders(await sign(), { 'X-Svc-Address': wallet })
      expect((await send(signed)).body.address.toLowerCase()).to.equal(wallet.toLowerCase())
      expect(outcome(await send(signed))).to.deep.equal(REUSED)
      const headers = { 'X-Svc-Address': wallet, 'X-Svc-Signature': '0x1234' }
      expect((await send(withHeaders(await sign(), headers))).status).to.equal(200)
    })

    for (const [what, address] of [
      ['another key’s', other.address],
      ['no address', '0x1234'],
      ['empty', ''],
    ] as const) {
      it(`is refused when it is ${what}`, async () => {
        const answer = await send(withHeaders(await sign(), { 'X-Svc-Address': address }))
        expect(outcome(answer)).to.deep.equal(INVALID)
      })
    }

    it('is never a contract if there is no chain', async () => {
      const chainless = await openAccounts()
      chainless.time.now = accounts.time.now
      const { headers, body } = withHeaders(await sign(), { 'X-Svc-Address': wallet })
      expect(outcome(await chainless.call('POST', PATH, { headers, body }))).to.deep.equal(INVALID)
      await chainless.close()
    })
  })

  it('do not include a request without a signature', async () => {
    expect(outcome(await accounts.call('POST', PATH, { body: {} }))).to.deep.equal([401, 'UNAUTHENTICATED'])
  })
})
