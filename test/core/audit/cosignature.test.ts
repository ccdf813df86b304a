import { parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { findNoteSignature } from '@svc/core/audit/cosignature.ts'
import { type NoteVerifierKey, parseNoteVerifierKey } from '@svc/core/audit/verifierKey.ts'
import { expect } from 'chai'
import { verifyEd25519 } from '../../../cli/audit/verifyEd25519.ts'
import { type StartedWitness, startWitness } from '../../harness/peers/startWitness.ts'

/** The example of C2SP tlog-cosignature, whose keys are not published. */
const EXAMPLE = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`

const keyOf = (text: string): NoteVerifierKey => {
  const key = parseNoteVerifierKey(text)
  if (typeof key === 'string') throw new Error(key)
  return key
}

describe('findNoteSignature', () => {
  let witness: StartedWitness
  before(async () => {
    witness = await startWitness()
  })
  after(() => witness.stop())

  it('has the witness sign the header, the time and the text of the specification’s example', () => {
    const checkpoint = parseCheckpoint(EXAMPLE)
    const messages: string[] = []
    const key: NoteVerifierKey = {
      ...{ name: 'witness.example.com/w1', keyId: '0x8d66cf3f', type: 'cosignature' },
      publicKey: new Uint8Array(32),
    }
    const found =
      checkpoint &&
      findNoteSignature(checkpoint, key, (_, message, signature) => {
        messages.push(`${new TextDecoder().decode(message)}${signature.length}`)
        return true
      })
    expect(found).to.deep.equal({ kind: 'valid', line: `${EXAMPLE.split('\n')[5]}\n`, time: 1679315147 })
    expect(messages).to.deep.equal([
      'cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n64',
    ])
  })

  it('rejects a cosignature under another key, of another text, at another time and without a time', () => {
    const text = EXAMPLE.slice(0, EXAMPLE.indexOf('\n\n') + 1)
    const key = keyOf(witness.verifierKey)
    const kindOf = (note: string, by = key) => {
      const checkpoint = parseCheckpoint(note)
      return checkpoint && findNoteSignature(checkpoint, by, verifyEd25519).kind
    }
    const line = witness.cosign(text)
    expect(kindOf(`${text}\n${line}`)).to.equal('valid')
    expect(kindOf(EXAMPLE)).to.equal('absent')
    expect(kindOf(`${text}\n${line}`, { ...key, publicKey: new Uint8Array(32).fill(7) })).to.equal('invalid')
    expect(kindOf(`${text.replace('20852163', '20852164')}\n${line}`)).to.equal('invalid')
    const [dash, name, blob = ''] = line.split(' ')
    for (const change of [
      (bytes: Buffer) => bytes.fill((bytes[11] ?? 0) ^ 1, 11, 12),
      (bytes: Buffer) => bytes.fill(0, 4, 12),
      (bytes: Buffer) => bytes.fill(0xff, 4, 12),
      (bytes: Buffer) => bytes.subarray(0, 10),
    ]) {
      const changed = change(Buffer.from(blob, 'base64')).toString('base64')
      expect(kindOf(`${text}\n${dash} ${name} ${changed}\n`)).to.equal('invalid')
    }
  })
})
