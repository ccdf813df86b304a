import { expect } from 'chai'
import { getAddress } from 'viem'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { alterEachByte } from '../../../harness/values/alterEachByte.ts'
import { APP_URL, type HttpAnswer } from '../accounts/openAccounts.ts'
import { openWalletSignIn, SITE, type WalletSignIn } from './openWalletSignIn.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const MINUTE_MS = 60_000
/** A contract wallet that accepts the signature 0x1234. */
const CONTRACT = getAddress('0x00000000000000000000000000000000000c0de1')

describe('signing in with a wallet', () => {
  let accounts: WalletSignIn['accounts']
  let newKey: WalletSignIn['newKey']
  let nonce: WalletSignIn['nonce']
  let person: WalletSignIn['person']
  let messageOf: WalletSignIn['messageOf']
  let signed: WalletSignIn['signed']
  let send: WalletSignIn['send']
  let me: WalletSignIn['me']

  before(async () => {
    ;({ accounts, newKey, nonce, person, messageOf, signed, send, me } = await openWalletSignIn(
      async ({ address, signature }) => address === CONTRACT && signature === '0x1234',
    ))
  })
  after(() => accounts?.close())

  const outcome = ({ status, body }: HttpAnswer) => [status, body.code]

  describe('opens an account', () => {
    it('if a registration was signed by the key', async () => {
      const key = newKey()
      const made = await accounts.ensureWalletAccount({ address: key.address, now: accounts.time.now })
      const { status, body } = await send(await signed(key))
      expect(status).to.equal(200)
      expect(body.data.user).to.include({ id: made.id, developerId: made.developerId, email: null })
      const own = (await me(body.data.accessToken)).body
      expect(own.wallets).to.deep.equal([key.address.toLowerCase()])
      expect(own.passkeyCount).to.equal(0)
      const claims = JSON.parse(Buffer.from(body.data.accessToken.split('.')[1], 'base64url').toString())
      expect(claims.amr).to.deep.equal(['pop'])
    })

    it('for a new key, and the same one again', async () => {
      const key = newKey()
      const first = await send(await signed(key))
      const second = await send(await signed(key))
      expect(second.body.data.user.id).to.equal(first.body.data.user.id)
    })

    it('for a contract wallet that approves the signature', async () => {
      const message = await messageOf(CONTRACT)
      expect((await send({ message, signature: '0x1234' })).status).to.equal(200)
      const other = await messageOf(CONTRACT)
      expect(outcome(await send({ message: other, signature: '0x1235' }))).to.deep.equal([
        401,
        'invalid_signature',
      ])
    })

    it('with a message that has every optional field and times without milliseconds', async () => {
      const key = newKey()
      const message = (
        await messageOf(key.address, {
          scheme: 'https',
          statement: 'Sign in to the registry.',
          expirationTime: new Date(accounts.time.now + MINUTE_MS),
          notBefore: new Date(accounts.time.now - MINUTE_MS),
          requestId: 'r1',
          resources: ['https://svc.test/terms'],
        })
      ).replaceAll(/\.\d{3}Z/g, 'Z')
      const signature = await key.signMessage({ message })
      expect((await send({ message, signature })).status).to.equal(200)
    })
  })

  describe('is refused for', () => {
    for (const [what, changes] of [
      ['another domain', { domain: 'evil.test' }],
      ['another port of the domain', { domain: `${SITE.host}:8443` }],
      ['another scheme', { scheme: 'http' }],
      ['the URI of another site', { uri: 'https://evil.test/sign-in' }],
      ['a URI that only begins like ours', { uri: `${APP_URL}.evil.test/` }],
    ] as const) {
      it(what, async () => {
        expect(outcome(await send(await signed(newKey(), changes)))).to.deep.equal([401, 'invalid_signature'])
      })
    }

    it('another chain, with a code of its own', async () => {
      const refused = await send(await signed(newKey(), { chainId: 1 }))
      expect(outcome(refused)).to.deep.equal([401, 'WRONG_CHAIN'])
    })

    it('days and hours that do not exist', async () => {
      const key = newKey()
      const text = await messageOf(key.address, { expirationTime: new Date('2030-03-02T00:00:00Z') })
      for (const time of [
        '2030-02-30T00:00:00.000Z',
        '2030-03-01T24:00:00.000Z',
        '2030-13-01T00:00:00.000Z',
      ]) {
        const message = text.replace('2030-03-02T00:00:00.000Z', time)
        const refused = await send({ message, signature: await key.signMessage({ message }) })
        expect(outcome(refused), time).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
    })

    it('times that have passed or not begun', async () => {
      const at = (offsetMs: number) => new Date(accounts.time.now + offsetMs)
      for (const changes of [
        { issuedAt: at(-5 * MINUTE_MS - 1) },
        { issuedAt: at(MINUTE_MS + 1) },
        { expirationTime: at(0) },
        { notBefore: at(1) },
      ]) {
        const refused = await send(await signed(newKey(), changes))
        expect(outcome(refused), JSON.stringify(changes)).to.deep.equal([401, 'signature_expired'])
      }
    })

    it('a nonce that was used, never issued or is five minutes old', async () => {
      const key = newKey()
      const once = await signed(key)
      expect((await send(once)).status).to.equal(200)
      const REUSED = [401, 'nonce_reused']
      expect(outcome(await send(once))).to.deep.equal(REUSED)
      expect(outcome(await send(await signed(key, { nonce: 'abcdefgh12345678' })))).to.deep.equal(REUSED)
      const old = await nonce()
      accounts.time.now += 5 * MINUTE_MS
      expect(outcome(await send(await signed(key, { nonce: old })))).to.deep.equal(REUSED)
    })

    it('the second of two concurrent uses of a nonce', async () => {
      const once = await signed(newKey())
      const answers = await Promise.all([send(once), send(once)])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401])
    })

    it('the signature of another key, one with a high s, and one over another message', async () => {
      const key = newKey()
      const { message, signature } = await signed(key)
      const s = BigInt(`0x${signature.slice(66, 130)}`)
      const flipped = signature.endsWith('1b') ? '1c' : '1b'
      const high = `${signature.slice(0, 66)}${(ORDER - s).toString(16).padStart(64, '0')}${flipped}`
      const foreign = await newKey().signMessage({ message })
      const changed = message.replace('/sign-in', '/sign-on')
      for (const body of [
        { message, signature: high },
        { message, signature: foreign },
        { message: changed, signature },
      ]) {
        expect(outcome(await send(body))).to.deep.equal([401, 'invalid_signature'])
      }
      expect((await send({ message, signature })).status, 'the nonce is still good').to.equal(200)
    })

    it('a flipped bit in any byte of its message or signature', async () => {
      const { message, signature } = await signed(newKey())
      const messages = alterEachByte(Buffer.from(message)).map((bytes) => bytes.toString('latin1'))
      const signatures = alterEachByte(Buffer.from(signature.slice(2), 'hex'))
      for (const [at, altered] of messages.entries()) {
        const { status } = await send({ message: altered, signature })
        expect(status, `byte ${at} of the message`).to.be.oneOf([400, 401])
      }
      for (const [at, altered] of signatures.entries()) {
        const refused = outcome(await send({ message, signature: `0x${altered.toString('hex')}` }))
        expect(refused, `byte ${at} of the signature`).to.deep.equal([401, 'invalid_signature'])
      }
      const bytes = messages.length + signatures.length
      reportFaultFigure(
        `wallet sign-in, one bit flipped in each of the ${bytes} bytes of its message and signature: 0 accepted`,
      )
      expect((await send({ message, signature })).status, 'unaltered').to.equal(200)
    })

    it('a text that is not an EIP-4361 message or has unknown fields', async () => {
      const key = newKey()
      const message = await messageOf(key.address)
      for (const text of [
        'hello',
        `${message}\nand all my money`,
        `Read this first.\n${message}`,
        message.replace('Version: 1', 'Version: 2'),
        message.replace(key.address, key.address.toLowerCase()),
        message.replace(/Issued At: .*/, 'Issued At: yesterday'),
      ]) {
        const signature = await key.signMessage({ message: text })
        const refused = await send({ message: text, signature })
        expect(outcome(refused), text).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
    })

    it('an API key', async () => {
      const { key } = await (await person()).createKey()
      expect(outcome(await send(await signed(newKey()), key))).to.deep.equal([403, 'SESSION_REQUIRED'])
    })
  })
})
