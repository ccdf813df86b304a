import { generateKeyPairSync } from 'node:crypto'
import { StatusList } from '@sd-jwt/jwt-status-list'
import { createStatusListCache } from '@svc/client/receipts/createStatusListCache.ts'
import { verifyReceipt } from '@svc/client/receipts/verifyReceipt.ts'
import { expect } from 'chai'
import { createReceiptSigner } from '../../../server/external/keys/receiptSigner.ts'
import { RECEIPT_CLAIMS } from '../../builders/receiptClaims.ts'
import { AUDIENCE, ISSUER, NOW, openIssuer } from './openIssuer.ts'

const URI = `${ISSUER}/.well-known/status/0`
const TYPE = 'statuslist+jwt'
/** The first example of the draft: positions 0, 3, 4, 5, 7, 8, 9, 13 and 15 of 16 are set. */
const EXAMPLE = Buffer.from('78dadbb918000217015d', 'hex').toString('base64url')
const SET = [0, 3, 4, 5, 7, 8, 9, 13, 15]

describe('the status lists of an issuer', () => {
  function open() {
    const issuer = openIssuer()
    const { world, signer } = issuer
    const lists = createStatusListCache({ issuer: ISSUER, keys: issuer.keys, fetch: issuer.fetch })
    /** Publishes a list issued now; the test sets what it is about. */
    const publish = (fields: object = {}, { by = signer, type = TYPE } = {}) => {
      const iat = Math.floor(world.now / 1000)
      const claims = { sub: URI, iat, exp: iat + 600, ttl: 30, status_list: { bits: 1, lst: EXAMPLE } }
      world.documents.set(URI, by.sign(type, { ...claims, ...fields }))
    }
    const read = (idx: number, uri = URI) => lists.read({ idx, uri }, world.now)
    publish()
    return { ...issuer, lists, publish, read }
  }

  it('are read as the draft’s example says, and not beyond their end', async () => {
    const { read } = open()
    for (let idx = 0; idx < 16; idx += 1) {
      expect(await read(idx), String(idx)).to.equal(SET.includes(idx) ? 'withdrawn' : 'valid')
    }
    for (const idx of [16, 131_071, 2 ** 40]) expect(await read(idx)).to.equal('unknown')
  })

  it('are read as another library writes them, with any number of bits', async () => {
    for (const bits of [1, 2, 4, 8] as const) {
      const { publish, read } = open()
      const statuses = Array.from({ length: 64 }, (_, at) => (at * 7) % 2 ** bits)
      publish({ status_list: { bits, lst: new StatusList(statuses, bits).compressStatusList() } })
      for (const [idx, status] of statuses.entries()) {
        expect(await read(idx), `${bits} bits, ${idx}`).to.equal(status === 0 ? 'valid' : 'withdrawn')
      }
    }
  })

  it('are fetched once for their lifetime, however many grants they cover', async () => {
    const { read, world } = open()
    const first = await Promise.all(Array.from({ length: 20 }, (_, idx) => read(idx % 16)))
    expect(first).to.not.include('unknown')
    world.now += 29_999
    await read(1)
    expect(world.fetches).to.deep.equal([URI])
  })

  it('are fetched again in the background after it, and then show what was withdrawn', async () => {
    const { publish, read, world } = open()
    expect(await read(1)).to.equal('valid')
    world.now += 30_000
    publish({ status_list: { bits: 1, lst: new StatusList(Array(16).fill(1), 1).compressStatusList() } })
    expect(await read(1)).to.equal('valid')
    while ((await read(1)) === 'valid') await new Promise(setImmediate)
    expect(await read(1)).to.equal('withdrawn')
    expect(world.fetches).to.have.length(2)
  })

  it('are not relied on once they are older than allowed, while the issuer is unreachable', async () => {
    const { read, world } = open()
    await read(1)
    world.documents.set(URI, new Error('unreachable'))
    world.now += 120_000
    expect(await read(1)).to.equal('valid')
    world.now += 1
    expect(await read(1)).to.equal('unknown')
    const tried = world.fetches.length
    await read(1)
    expect(world.fetches).to.have.length(tried)
    world.now += 1_000
    await read(1)
    expect(world.fetches).to.have.length(tried + 1)
  })

  it('are not relied on after they expire', async () => {
    const { publish, read, world } = open()
    publish({ exp: Math.floor(world.now / 1000) + 60, ttl: 3_600 })
    await read(1)
    world.now += 60_000
    expect(await read(1)).to.equal('unknown')
  })

  it('are not replaced by an older list', async () => {
    const { publish, read, world } = open()
    await read(1)
    world.now += 30_000
    publish({
      iat: Math.floor(NOW / 1000) - 10,
      status_list: { bits: 1, lst: new StatusList(Array(16).fill(0), 1).compressStatusList() },
    })
    await read(0)
    await new Promise(setImmediate)
    expect(await read(0)).to.equal('withdrawn')
  })

  it('are refused if another key signed them, or they are of another kind or place, or not lists at all', async () => {
    const other = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
    const cases: [fields: object, options: Parameters<ReturnType<typeof open>['publish']>[1]][] = [
      [{}, { by: other }],
      [{}, { type: 'svc-verdict+jwt' }],
      [{ sub: `${ISSUER}/.well-known/status/1` }, {}],
      [{ iat: Math.floor(NOW / 1000) + 3_600 }, {}],
      [{ iat: undefined }, {}],
      [{ exp: Math.floor(NOW / 1000) }, {}],
      [{ status_list: undefined }, {}],
      [{ status_list: { bits: 3, lst: EXAMPLE } }, {}],
      [{ status_list: { bits: 1, lst: 'AAAA' } }, {}],
      [{ status_list: { bits: 1, lst: '***' } }, {}],
    ]
    for (const [fields, options] of cases) {
      const { publish, read } = open()
      publish(fields, options)
      expect(await read(1), JSON.stringify([fields, options])).to.equal('unknown')
    }
  })

  it('are refused if they decompress to far more than a list', async () => {
    const { publish, read } = open()
    publish({
      status_list: { bits: 8, lst: new StatusList(Array(1_100_000).fill(0), 8).compressStatusList() },
    })
    expect(await read(1)).to.equal('unknown')
  })

  it('are fetched only from the issuer', async () => {
    const { read, world } = open()
    for (const uri of [
      'https://evil.example/.well-known/status/0',
      `${ISSUER}.evil.example/.well-known/status/0`,
      `${ISSUER}/.well-known/status/../../admin`,
      `${ISSUER}/.well-known/status/0?x`,
      `${ISSUER}/.well-known/status/`,
    ]) {
      expect(await read(1, uri), uri).to.equal('unknown')
    }
    expect(world.fetches).to.deep.equal([])
  })

  it('decide on a receipt that otherwise holds', async () => {
    const { issue, keys, lists, world } = open()
    const reasonOf = async (fields: object) => {
      const check = { issuer: ISSUER, keys, audience: AUDIENCE, now: world.now, statusLists: lists }
      return (await verifyReceipt(issue(fields), check)).reason
    }
    const at = (idx: number) => ({ status: { status_list: { idx, uri: URI } } })
    expect(await reasonOf(at(1))).to.equal(null)
    expect(await reasonOf(at(0))).to.equal('withdrawn')
    expect(await reasonOf(at(999))).to.equal('status_unavailable')
    expect(await reasonOf({ status: undefined })).to.equal('status_unavailable')
    expect(await reasonOf({ ...at(1), exp: RECEIPT_CLAIMS.iat })).to.equal('expired')
  })
})
