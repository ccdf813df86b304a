import {
  encodeNoteKey,
  NOTE_CHARACTERS_MAX,
  parseCheckpoint,
  writeCheckpointText,
} from '@svc/core/audit/checkpoint.ts'
import { decodeBase64, encodeBase64 } from '@svc/core/bytes.ts'
import { expect } from 'chai'

const ROOT = '0x0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62'

/** So many characters exhaust the stack of a regular expression. */
const MANY = 9_000_000

const NOTE = [
  'registry.example/audit/1',
  '20852163',
  'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
  '',
  '— registry.example/audit/1 Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=',
  '',
].join('\n')

describe('the text of a checkpoint', () => {
  it('is origin, size and root, one per line', () => {
    expect(
      writeCheckpointText({ origin: 'example.com/behind-the-sofa', size: 20852163, root: ROOT }),
    ).to.equal('example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n')
  })

  it('rejects an origin that is not one line or not a valid key name', () => {
    for (const origin of ['', ' ', 'a b', 'a\nb', 'a\n', '+a', 'a+']) {
      expect(() => writeCheckpointText({ origin, size: 1, root: ROOT }), origin).to.throw(
        'cannot be the origin of a log',
      )
    }
  })
})

/** The three parts of the verifier key in the documentation of Go's package note. */
const NAME = 'PeterNeumann'
const ID = 'c74f20a3'
const KEY = 'ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'

describe('the id of a note key', () => {
  const publicKey = decodeBase64(KEY)?.subarray(1) ?? new Uint8Array()

  it('is that of a published key', () => {
    const { keyId, typedKey } = encodeNoteKey(NAME, publicKey)
    expect(Buffer.from(keyId).toString('hex')).to.equal(ID)
    expect(encodeBase64(typedKey)).to.equal(KEY)
  })

  it('differs under another name', () => {
    expect(encodeNoteKey('Peter', publicKey).keyId).to.not.deep.equal(encodeNoteKey(NAME, publicKey).keyId)
  })

  it('rejects a key that is not 32 bytes long', () => {
    for (const length of [0, 31, 33]) {
      expect(() => encodeNoteKey(NAME, new Uint8Array(length))).to.throw(`has 32 bytes, not ${length}`)
    }
  })
})

describe('a checkpoint', () => {
  it('reads as the specification writes it', () => {
    const note = NOTE.replaceAll('registry.example/audit/1', 'example.com/behind-the-sofa')
    const checkpoint = parseCheckpoint(note)
    expect(checkpoint).to.include({
      origin: 'example.com/behind-the-sofa',
      size: 20852163,
      root: ROOT,
    })
    expect(checkpoint?.text).to.equal(note.slice(0, note.indexOf('\n\n') + 1))
    const [signature] = checkpoint?.signatures ?? []
    expect(signature?.name).to.equal('example.com/behind-the-sofa')
    expect([...(signature?.keyId ?? [])]).to.deep.equal([0x03, 0x3d, 0xe0, 0xae])
    expect(signature?.signature).to.have.length(64)
  })

  const line = NOTE.split('\n')[4] ?? ''
  it('may carry up to sixteen signatures', () => {
    const linesOf = (count: number) =>
      Array.from({ length: count }, (_, i) => line.replace('audit', `audit${i}`))
    const noteOf = (count: number) => [...NOTE.split('\n').slice(0, 4), ...linesOf(count), ''].join('\n')
    expect(parseCheckpoint(noteOf(16))?.signatures).to.have.length(16)
    expect(parseCheckpoint(noteOf(17))).to.equal(null)
    expect(parseCheckpoint(noteOf(0))).to.equal(null)
  })

  it('may carry a signature of one byte', () => {
    const [, other] = parseCheckpoint(`${NOTE}— other.example AAAAAAE=\n`)?.signatures ?? []
    expect(other).to.deep.equal({
      name: 'other.example',
      keyId: new Uint8Array(4),
      signature: Uint8Array.of(1),
    })
  })

  it('is rejected if it is longer than any real note, without being searched', () => {
    const padded = (length: number) => {
      const name = 'a'.repeat(length - NOTE.length - '— '.length - ' AAAAAAE=\n'.length)
      return `${NOTE}— ${name} AAAAAAE=\n`
    }
    expect(parseCheckpoint(padded(NOTE_CHARACTERS_MAX))?.signatures).to.have.length(2)
    expect(parseCheckpoint(padded(NOTE_CHARACTERS_MAX + 1))).to.equal(null)
    for (const long of [
      padded(MANY),
      `${NOTE}— a ${'A'.repeat(MANY)}\n`,
      `${NOTE}${`${line}\n`.repeat(MANY / 100)}`,
    ]) {
      expect(parseCheckpoint(long)).to.equal(null)
    }
  })

  for (const [name, note] of [
    ['an extension line', NOTE.replace('q2I=\n', 'q2I=\nmore\n')],
    ['a size with a leading zero', NOTE.replace('\n2085', '\n02085')],
    ['a size that is not a safe integer', NOTE.replace('20852163', '9007199254740993')],
    ['a root that is not a hash', NOTE.replace('CsUY', '')],
    ['a non-canonical encoding of its root', NOTE.replace('q2I=', 'q2J=')],
    ['two signatures by one key', `${NOTE}${line}\n`],
    ['another dash', NOTE.replace('—', '-')],
    ['a signature that is not base64', NOTE.replace('YQ8=', 'YQ8')],
    ['one of two signatures that is not base64', `${NOTE}— other.example AAAAAAA\n`],
    ['a key without a signature', `${NOTE}— other.example AAAAAA==\n`],
    ['a plus in the origin', NOTE.replaceAll('example', 'exam+ple')],
  ] as const) {
    it(`is rejected with ${name}`, () => expect(parseCheckpoint(note)).to.equal(null))
  }
})
