import { createHash, createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createNoteSigner } from '../../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../../server/external/keys/readEd25519Key.ts'
import { readCheckpoint, readLogKey } from '../../../../server/services/audit/readCheckpoint.ts'
import { readTlogProof } from '../../../../server/services/audit/readProof.ts'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import {
  type AuditPipeline,
  DEPLOYMENT,
  openAuditPipeline,
} from '../../../harness/database/openAuditPipeline.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

/** Prefix of a PKCS #8 and of a SubjectPublicKeyInfo structure of an Ed25519 key (RFC 8410); the 32 bytes follow. */
const PKCS8 = '302e020100300506032b657004220420'
const SPKI = '302a300506032b6570032100'

/**
 * Implements signed-note, tlog-checkpoint and tlog-proof a second time, without our code: opens a note with a verifier key
 * of the form `<name>+<key id>+<type and key>` and returns its text.
 */
function openNote(note: string, verifierKey: string): string {
  const [, name = '', id = '', typed = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(verifierKey) ?? []
  const key = Buffer.from(typed, 'base64')
  expect(createHash('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8)).to.equal(id)
  expect(key[0]).to.equal(1)
  const split = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, split)
  const lines = note.slice(split + 1).split('\n')
  expect(lines.pop()).to.equal('')
  const opened = lines.filter((line) => {
    const [dash, signer, encoded = ''] = line.split(' ')
    const blob = Buffer.from(encoded, 'base64')
    if (dash !== '—' || signer !== name || blob.subarray(0, 4).toString('hex') !== id) return false
    const publicKey = createPublicKey({
      key: Buffer.concat([Buffer.from(SPKI, 'hex'), key.subarray(1)]),
      format: 'der',
      type: 'spki',
    })
    return verify(null, Buffer.from(text), publicKey, blob.subarray(4))
  })
  if (opened.length === 0) throw new Error('no signature of a known key')
  return text
}

/** Computes the root of an inclusion proof with the top-down recursion of RFC 6962 §2.1.1: MTH from leaf and path. */
function rootFrom(leaf: Buffer, index: number, size: number, path: Buffer[]): Buffer {
  if (size === 1) return leaf
  let split = 1
  while (split * 2 < size) split *= 2
  const sibling = path.at(-1) ?? Buffer.alloc(0)
  const rest = path.slice(0, -1)
  const [left, right] =
    index < split
      ? [rootFrom(leaf, index, split, rest), sibling]
      : [sibling, rootFrom(leaf, index - split, size - split, rest)]
  return createHash('sha256').update('\x01').update(left).update(right).digest()
}

const ed25519 = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([Buffer.from(PKCS8, 'hex'), seed]), format: 'der', type: 'pkcs8' })

describe('checkpoints of the audit log', () => {
  const folder = createTemporaryFolder()
  let pipeline: AuditPipeline
  const signer = createNoteSigner(readEd25519Key(join(folder.path, 'audit-log-key.json')))
  const checkpoints = { signer, publicUrl: 'https://registry.example/svc', cosignatures: async () => [] }
  const logId = async () => DEPLOYMENT.logId
  const deps = () => ({ proofs: { ...pipeline, batchSeconds: 5 }, checkpoints })

  before(async () => {
    pipeline = await openAuditPipeline()
    for (const [number, count] of [
      [1, 1],
      [2, 12],
    ] as const) {
      const first = number === 1 ? 0 : 1
      await pipeline.append(Array.from({ length: count }, (_, i) => buildNumberedRecord(first + i)))
      await sealBatch({ ...pipeline, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
      await pipeline.confirm(number)
    }
  })

  after(async () => {
    await pipeline.close()
    folder.remove()
  })

  it('have the same signature as the reference implementation of signed notes creates', () => {
    // The example of golang.org/x/mod/sumdb/note.
    const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)
    const reference = createNoteSigner(ed25519(seed))
    const text =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`
    const verifierKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
    expect(reference.verifierKey('PeterNeumann')).to.equal(verifierKey)
    expect(reference.sign('PeterNeumann', text)).to.equal(note)
    expect(openNote(note, verifierKey)).to.equal(text)
  })

  it('contain origin, size and root of the newest final head, and verify with the published key', async () => {
    const { origin, verifierKey, publicKeyPem } = await readLogKey({ ...checkpoints, logId })
    expect(origin).to.equal(`registry.example/svc/audit/${DEPLOYMENT.logId}`)
    const note = await readCheckpoint({ anchors: deps().proofs, checkpoints })
    const head = await pipeline.batches.lastConfirmed()
    const root = Buffer.from(head?.root.slice(2) ?? '', 'hex').toString('base64')
    expect(openNote(note, verifierKey)).to.equal(`${origin}\n13\n${root}\n`)
    const exported = createPublicKey(publicKeyPem).export({ format: 'der', type: 'spki' })
    expect(exported.subarray(12).toString('base64')).to.equal(
      Buffer.from(verifierKey.split('+').slice(2).join('+'), 'base64').subarray(1).toString('base64'),
    )
    expect(() => openNote(note.replace('\n13\n', '\n12\n'), verifierKey)).to.throw('no signature')
  })

  it('conclude every proof in text form, whose path leads to their root', async () => {
    const { verifierKey } = await readLogKey({ ...checkpoints, logId })
    for (let nth = 0; nth < 13; nth += 1) {
      const text = await readTlogProof(deps(), { recordId: buildNumberedRecord(nth).recordId })
      const [header, extra = '', index, ...rest] = text.split('\n')
      expect(header).to.equal('c2sp.org/tlog-proof@v1')
      expect(index).to.equal(`index ${nth}`)
      const path = rest.slice(0, rest.indexOf('')).map((line) => Buffer.from(line, 'base64'))
      const [, size, root] = openNote(rest.slice(rest.indexOf('') + 1).join('\n'), verifierKey).split('\n')
      const { entry, ...place } = JSON.parse(Buffer.from(extra.slice('extra '.length), 'base64').toString())
      const leaf = createHash('sha256').update('\0').update(Buffer.from(entry, 'base64')).digest()
      expect(rootFrom(leaf, nth, Number(size), path).toString('base64')).to.equal(root)
      expect(Buffer.from(entry, 'base64').toString()).to.equal(buildNumberedRecord(nth).entry)
      expect(place).to.deep.equal({
        ...{ batch: 2, blockNumber: 12, chainId: DEPLOYMENT.chainId, contract: DEPLOYMENT.auditLog },
        ...{ logId: DEPLOYMENT.logId, transactionHash: `0x${'55'.repeat(32)}` },
      })
    }
  })

  it('are signed with one permanent key, which only its owner may read', () => {
    const file = join(folder.path, 'audit-log-key.json')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(createNoteSigner(readEd25519Key(file)).verifierKey('a')).to.equal(signer.verifierKey('a'))
  })

  it('are not signed with an invalid key', () => {
    const file = join(folder.path, 'other.json')
    const key = readFileSync(join(folder.path, 'audit-log-key.json'), 'utf8')
    for (const text of ['', '{}', key.slice(0, 40), key.replace('Ed25519', 'X25519')]) {
      writeFileSync(file, text)
      expect(() => readEd25519Key(file), text).to.throw('does not contain an Ed25519 private key as a JWK')
    }
  })
})
