import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { parseTlogProof, writeTlogProof } from '@svc/core/audit/tlogProof.ts'
import { expect } from 'chai'

const hex = (byte: string, length = 32) => `0x${byte.repeat(length)}`
const entry = '{"seq":5}'
const NOTE = [
  'registry.example/audit/1',
  '20852163',
  'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
  '',
  '— registry.example/audit/1 Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=',
  '',
].join('\n')
const DOCUMENT: ProofDocument = {
  entry: btoa(entry),
  leafHash: `0x${Buffer.from(hashLeaf(entry)).toString('hex')}`,
  index: 5,
  treeSize: 20852163,
  inclusionProof: [hex('aa'), hex('bb')],
  root: '0x0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62',
  batch: 3,
  logId: hex('11'),
  chainId: 1,
  contract: hex('22', 20),
  transactionHash: hex('33'),
  blockNumber: 9,
}
const TEXT = writeTlogProof(DOCUMENT, NOTE)

const CARRIAGE_RETURNS = 'its lines end with carriage returns; save the response byte for byte'

describe('a proof in the text form of transparency logs', () => {
  it('reads back as the document that it was written from, under its checkpoint', () => {
    const parsed = parseTlogProof(TEXT)
    expect(parsed).to.deep.include({ ok: true, document: DOCUMENT })
    const alone = writeTlogProof({ ...DOCUMENT, index: 0, inclusionProof: [] }, NOTE)
    expect(alone).to.include('\nindex 0\n\nregistry.example')
    expect(parseTlogProof(alone)).to.include({ ok: true })
  })

  const extraOf = (change: object) => {
    const members = { ...JSON.parse(atob(TEXT.split('\n')[1]?.slice(6) ?? '')), ...change }
    return TEXT.replace(/^extra .*$/m, `extra ${btoa(JSON.stringify(members))}`)
  }
  const withExtra = (extra: string | Uint8Array) =>
    TEXT.replace(/^extra .*$/m, `extra ${Buffer.from(extra).toString('base64')}`)
  const EXTRA = 'its second line is not "extra" and a JSON object in base64'
  const CHECKPOINT = 'its checkpoint is not of the form that the log writes'
  const OTHERWISE = 'it is not written as the log writes it'
  const refused: [string, string, string][] = [
    ['nothing', '', 'it has no checkpoint'],
    ['only a checkpoint', `\n\n${NOTE}`, 'its first line is not c2sp.org/tlog-proof@v1'],
    ['another version', TEXT.replace('@v1', '@v2'), 'its first line is not c2sp.org/tlog-proof@v1'],
    ['no extra line', TEXT.replace(/^extra .*\n/m, ''), EXTRA],
    ['an extra line that is not base64', TEXT.replace(/^extra .*$/m, 'extra *'), EXTRA],
    ['an extra line that is not JSON', TEXT.replace(/^extra .*$/m, 'extra AAAA'), EXTRA],
    ['an extra line that is not UTF-8', withExtra(Uint8Array.of(0x22, 0xff, 0x22)), EXTRA],
    ['an extra line of null', withExtra('null'), EXTRA],
    ['an extra line of an array', withExtra('[]'), EXTRA],
    ['an extra line of a string', withExtra('"a"'), EXTRA],
    ['an extra line of a number', withExtra('1'), EXTRA],
    ['something before the extra line', TEXT.replace(/^extra /m, '1extra '), EXTRA],
    ['an additional member in the extra line', extraOf({ more: 1 }), OTHERWISE],
    ['a missing member in the extra line', extraOf({ batch: undefined }), 'batch: Invalid input'],
    ['no entry', extraOf({ entry: undefined }), 'entry: Invalid input'],
    ['an entry that is not a string', extraOf({ entry: 1234 }), 'entry: Invalid input'],
    ['a leading zero', TEXT.replace('index 5', 'index 05'), 'index: Invalid input'],
    ['a negative index', TEXT.replace('index 5', 'index -5'), 'index: Invalid input'],
    ['something before the index', TEXT.replace('index 5', ' index 5'), 'index: Invalid input'],
    ['something after the index', TEXT.replace('index 5', 'index 5 '), 'index: Invalid input'],
    ['a short hash', TEXT.replace(/^q{3,}.*$/m, 'qqo='), 'inclusionProof.0: expected 32 bytes'],
    ['a non-canonical encoding of a hash', TEXT.replace('qqo=', 'qqp='), 'inclusionProof.0: Invalid input'],
    ['carriage returns', TEXT.replaceAll('\n', '\r\n'), CARRIAGE_RETURNS],
    ['an additional line', TEXT.replace('\n\n', '\n\n\n'), CHECKPOINT],
    ['a truncated end', TEXT.slice(0, -1), CHECKPOINT],
    ['text after the end', `${TEXT}\n`, CHECKPOINT],
    [
      'a checkpoint that is too long',
      TEXT.replace(' Az3grl', ` Az3grl${'A'.repeat(65_536)}`),
      'its checkpoint is longer than 65536 characters',
    ],
    [
      'too many lines',
      TEXT.replace('\n\n', `${'\nqqo='.repeat(90_000)}\n\n`),
      'it is longer than 262144 characters',
    ],
    ['no checkpoint', TEXT.slice(0, TEXT.indexOf('\n\n') + 2), CHECKPOINT],
  ]
  for (const [name, text, reason] of refused) {
    it(`is rejected with ${name}`, () => {
      expect(text).to.not.equal(TEXT)
      const parsed = parseTlogProof(text)
      expect(parsed.ok ? 'taken' : parsed.reason).to.contain(reason)
    })
  }

  it('may have an index of several digits', () => {
    expect(parseTlogProof(writeTlogProof({ ...DOCUMENT, index: 1029 }, NOTE))).to.deep.include({
      ok: true,
      document: { ...DOCUMENT, index: 1029 },
    })
  })
})
