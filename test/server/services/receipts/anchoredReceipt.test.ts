import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReceiptDocument } from '@svc/core/receipt/receiptDocument.ts'
import { expect } from 'chai'
import { createTextReport } from '../../../../cli/audit/createTextReport.ts'
import { parseAuditArguments } from '../../../../cli/audit/parseAuditArguments.ts'
import { runAudit } from '../../../../cli/audit/runAudit.ts'
import { createOrganisation } from '../../../builders/participants.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { openReceipts, type ReceiptScene } from './openReceipts.ts'

describe('a receipt with its proof', () => {
  const folder = createTemporaryFolder()
  let scene: ReceiptScene
  let answer: { receipt: string; auditRecordId: string }
  let other: { receipt: string; auditRecordId: string }
  let document: ReceiptDocument & { success: boolean }

  before(async () => {
    scene = await openReceipts()
    ;[answer, other] = [await scene.ask(), await scene.ask({ transactionValue: 21 })]
  })
  after(async () => {
    await scene?.service.stop()
    folder.remove()
  })

  const read = (recordId: string, bearer = scene.shop.apiKey) =>
    scene.call('GET', `/api/audit/records/${recordId}/receipt`, { bearer })
  const audit = async (file: object, ...more: string[]) => {
    const { contracts, logId } = (await scene.call('GET', '/api/chain')).body
    const path = join(folder.path, `${Math.random()}.json`)
    writeFileSync(path, JSON.stringify(file))
    const log = ['--rpc', scene.service.rpcUrl, '--log', logId, '--contract', contracts.auditLog]
    const parsed = parseAuditArguments([...log, ...(more.length > 0 ? more : ['--receipt']), path])
    if (parsed.kind !== 'arguments') throw new Error('not a command')
    const lines: string[] = []
    const outcome = await runAudit(
      parsed.arguments,
      createTextReport((line) => lines.push(line), false),
    )
    return { outcome, output: lines.join('\n') }
  }

  it('is not available before the record is anchored, and says when to ask again', async () => {
    const { status, body, headers } = await read(answer.auditRecordId)
    expect([status, body.code]).to.deep.equal([404, 'NOT_ANCHORED_YET'])
    expect(Number(headers.get('retry-after'))).to.be.above(0)
  })

  it('is the same for both parties once it is anchored', async () => {
    // Batches are sealed by the clock of this test.
    scene.time.now += 5_000
    document = await waitUntil(async () => {
      const { status, body } = await read(answer.auditRecordId)
      return status === 200 ? body : null
    })
    expect(document.receipt).to.equal(answer.receipt)
    expect(document.issuerKey).to.deep.equal((await scene.readKeys()).keys.find(isReceiptKey))
    const own = await scene.agentOwner.call('GET', `/api/audit/records/${answer.auditRecordId}/receipt`)
    expect(own.body).to.deep.equal(document)
  })

  it('is not shown to anybody else, and does not exist without a receipt', async () => {
    const stranger = await createOrganisation(scene.baseUrl)
    const without = (await scene.ask({ includeReceipt: false })).auditRecordId
    for (const [recordId, bearer] of [
      [answer.auditRecordId, stranger.apiKey],
      [without, scene.shop.apiKey],
      ['00000000-0000-7000-8000-000000000000', scene.shop.apiKey],
    ] as const) {
      const { status, body } = await read(recordId, bearer)
      expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
    }
  })

  it('proves verdict and time with the chain only', async () => {
    const { outcome, output } = await audit(document)
    expect(output)
      .to.include('the entry commits to the receipt, and with it to every claim')
      .and.include(`is signed by the key ${document.issuerKey?.kid}`)
      .and.include('grant, access level standard')
      .and.include('20 USD')
      .and.include('PROVEN, except for what was not checked')
      .and.not.include('NOT')
    expect(outcome).to.equal('proven')
  })

  it('is not called that of its issuer until its keys are known', async () => {
    const { iss } = JSON.parse(Buffer.from(document.receipt.split('.')[1] ?? '', 'base64url').toString())
    const unknown = await audit(document)
    expect(unknown.output)
      .to.include(`? not checked: whether ${iss} issued the receipt: pass --issuer, or --issuer-keys.`)
      .and.include('? not checked: whether the grant was withdrawn later')
      .and.match(/valid +20.* to 20.*, (not )?expired by the newest block/)
    const keys = join(folder.path, 'jwks.json')
    writeFileSync(keys, JSON.stringify(await scene.readKeys()))
    const known = await audit(document, '--issuer', iss, '--issuer-keys', keys, '--receipt')
    expect(known.output)
      .to.include(`is signed by the key ${document.issuerKey?.kid}, one of those of ${keys}`)
      .and.not.include('pass --issuer')
    const unnamed = await audit(document, '--issuer-keys', keys, '--receipt')
    expect(unnamed.output).to.include(`whether the keys in ${keys} are those of ${iss}: pass --issuer`)
    const fetched = await audit(document, '--issuer', scene.baseUrl, '--receipt')
    expect(fetched.outcome).to.equal(scene.baseUrl === iss ? 'proven' : 'refuted')
  })

  it('is proven without the key that signed it, which the service may have lost', async () => {
    const { outcome, output } = await audit({ ...document, issuerKey: undefined })
    expect(output).to.include('issued the receipt: pass --issuer').and.not.include('is signed by')
    expect(outcome).to.equal('proven')
  })

  it('is refuted as that of another issuer, or not signed by the key of its own', async () => {
    const { iss } = JSON.parse(Buffer.from(document.receipt.split('.')[1] ?? '', 'base64url').toString())
    const keys = join(folder.path, 'no-keys.json')
    writeFileSync(keys, JSON.stringify({ keys: [{ ...document.issuerKey, x: 'A'.repeat(43) }] }))
    for (const [issuer, sentence] of [
      ['https://other.example', `the receipt is of ${iss}, not of https://other.example`],
      [iss, `the receipt is not signed by the key that it names of ${keys}`],
    ]) {
      const found = await audit(document, '--issuer', issuer, '--issuer-keys', keys, '--receipt')
      expect(found.output).to.include(sentence)
      expect(found.outcome).to.equal('refuted')
    }
  })

  it('is refuted with another receipt, another key, an altered receipt, or none', async () => {
    const [header = '', payload = ''] = document.receipt.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const altered = Buffer.from(JSON.stringify({ ...claims, value: 9_000 })).toString('base64url')
    const cases: [change: object, sentence: string][] = [
      [{ receipt: other.receipt }, 'the entry commits to another receipt'],
      [{ receipt: document.receipt.replace(payload, altered) }, 'the entry commits to another receipt'],
      [{ receipt: `${header}.${payload}` }, 'it is not a receipt'],
      [{ receipt: 7 }, 'contains no receipt'],
      [{ receipt: undefined }, 'contains no receipt'],
      [{ issuerKey: { ...document.issuerKey, x: claims.jti } }, 'not signed by the key'],
      [{ issuerKey: { ...document.issuerKey, kid: 'other' } }, 'not signed by the key'],
      [{ issuerKey: null }, 'not signed by the key'],
    ]
    for (const [change, sentence] of cases) {
      const { outcome, output } = await audit({ ...document, ...change })
      expect(output, sentence).to.include(sentence).and.include('NOT proven')
      expect(outcome).to.equal('refuted')
    }
  })

  it('is refuted with the proof of another record, also one without a receipt', async () => {
    const proofOf = async (recordId: string) =>
      waitUntil(async () => {
        const { status, body } = await scene.call('GET', `/api/audit/records/${recordId}/proof`)
        return status === 200 ? body : null
      })
    const swapped = await audit({ ...document, ...(await proofOf(other.auditRecordId)) })
    expect(swapped.output).to.include('the entry commits to another receipt')
    const without = (await scene.ask({ includeReceipt: false })).auditRecordId
    scene.time.now += 5_000
    const bare = await audit({ ...(await proofOf(without)), receipt: document.receipt })
    expect(bare.output).to.include('no receipt was issued for the record')
  })

  it('may be checked like any proof, and then the receipt is checked too', async () => {
    expect((await audit(document, '--record')).outcome).to.equal('proven')
    expect((await audit({ ...document, receipt: other.receipt }, '--record')).outcome).to.equal('refuted')
  })
})

function isReceiptKey({ alg }: { alg: string }): boolean {
  return alg === 'EdDSA'
}
