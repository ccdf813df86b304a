import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ProvableAgent } from '../../../../server/external/proofs/proof.ts'
import { openProofs, SECONDS, SVC_ID } from './openProofs.ts'
import { both, openRequestSignatures, type RequestSignatures } from './openRequestSignatures.ts'

describe('a request signature by an Ethereum account', () => {
  let proofs: RequestSignatures['proofs']
  let signed: RequestSignatures['signed']
  let check: RequestSignatures['check']
  let faultOf: RequestSignatures['faultOf']

  before(async () => {
    ;({ proofs, signed, check, faultOf } = await openRequestSignatures())
  })

  const account = privateKeyToAccount(generatePrivateKey())
  const as = () => ({ ...proofs.agent, accounts: [account.address.toLowerCase()] })
  const signByAccount = async (keyid: string, by = account, alg?: string) => {
    const reported = signed({ keyid, alg, url: 'https://shop.example/orders/7' })
    const { base } = baseOf(reported)
    const bytes = Buffer.from((await by.signMessage({ message: base })).slice(2), 'hex')
    return { ...reported, signature: `svc=:${bytes.toString('base64')}:` }
  }
  /** The text that the builder signed, built again from what is reported. */
  const baseOf = ({ signatureInput, method, targetUri }: ReturnType<RequestSignatures['signed']>) => {
    const { host, pathname } = new URL(targetUri)
    const params = signatureInput.slice('svc='.length)
    const lines = [`"@authority": ${host}`, `"@method": ${method}`, `"@path": ${pathname}`]
    return { base: [...lines, `"x-svc-id": ${SVC_ID}`, `"@signature-params": ${params}`].join('\n') }
  }

  it('is accepted for an account of the agent, and only for one', async () => {
    const keyid = `erc8128:1:${account.address}`
    const reported = await signByAccount(keyid)
    expect(await check(reported, { as: as() })).to.include({ grade: 'signature', fault: null, kid: keyid })
    expect(await faultOf(reported)).to.equal('key_unknown')
  })

  it('tells only whoever signs with the account whether it is one of the agent', async () => {
    const keyid = `erc8128:1:${account.address.toLowerCase()}`
    const forged = signed({ keyid })
    expect(await faultOf(forged, { as: as() })).to.equal('forged')
    expect(await faultOf(forged)).to.equal('forged')
    const cut = signed({ keyid, components: ['@authority'] })
    expect(await faultOf(cut, { as: as() })).to.equal('unaddressed')
    const { signature: _, ...half } = cut
    expect(await faultOf(half, { as: as() })).to.equal('unaddressed')
    const late = signed({ created: SECONDS + 900 })
    const unread = { ...both(late, cut), signature: late.signature }
    for (const one of [as(), proofs.agent])
      expect(await faultOf(unread, { as: one })).to.equal('not_yet_valid')
  })

  it('is refused with any algorithm, because none is registered for accounts', async () => {
    const keyid = `erc8128:1:${account.address.toLowerCase()}`
    for (const alg of ['none', 'hmac-sha256', 'ecdsa-p256-sha256', 'ed25519', 'eip191', '']) {
      const reported = await signByAccount(keyid, account, alg)
      // The same whoever owns the account: what is wrong stands in the signature.
      for (const one of [as(), proofs.agent]) {
        expect(await faultOf(reported, { as: one }), alg).to.equal('other_algorithm')
      }
    }
  })

  it('is refused if another account signed', async () => {
    const other = privateKeyToAccount(generatePrivateKey())
    const reported = await signByAccount(`erc8128:1:${account.address.toLowerCase()}`, other)
    expect(await faultOf(reported, { as: as() })).to.equal('forged')
  })

  it('is not left to a contract of this chain if the account is one of another chain', async () => {
    const asked: string[] = []
    const trusting = await openProofs(async ({ address }) => {
      asked.push(address)
      return true
    })
    const other = privateKeyToAccount(generatePrivateKey())
    const callerMetadata = await signByAccount(`erc8128:1:${account.address}`, other)
    const home: ProvableAgent = { ...trusting.agent, accounts: [account.address.toLowerCase()] }
    expect((await trusting.check({ callerMetadata }, { as: home })).fault).to.equal(null)
    const abroad = { ...home, hasForeignAccounts: true }
    expect((await trusting.check({ callerMetadata }, { as: abroad })).fault).to.equal('forged')
    expect(asked).to.deep.equal([account.address])
  })

  it('may name the token of an agent that is adopted from another registry', async () => {
    const token = `eip155:1:0x${'8a'.repeat(20)}/7`
    const named: ProvableAgent = { ...proofs.agent, names: [SVC_ID, token] }
    const signedAs = (svcId: string) => signed({ svcId })
    for (const name of [SVC_ID, token, token.replaceAll('a', 'A')]) {
      expect(await faultOf(signedAs(name), { as: named }), name).to.equal(null)
    }
    expect(await faultOf(signedAs(token.replace('/7', '/8')), { as: named })).to.equal('other_agent')
    expect(await faultOf(signedAs(token))).to.equal('other_agent')
  })
})
