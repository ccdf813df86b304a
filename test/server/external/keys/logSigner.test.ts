import { parseHandover } from '@svc/core/audit/handover.ts'
import { expect } from 'chai'
import { followHandovers } from '../../../../cli/audit/followHandovers.ts'
import { parseVerifierKey } from '../../../../cli/audit/parseVerifierKey.ts'
import { createKeyRing, type PrivateJwk, toRingKey } from '../../../../server/external/keys/keyRing.ts'
import { createLogSigner } from '../../../../server/external/keys/logSigner.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'

const NAME = 'registry.example/audit/0x00'
const START = Date.UTC(2026, 2, 2)
const jwkOf = () => createAgentKey().privateJwk as PrivateJwk

describe('the signer of a log', () => {
  const time = { now: START - 1 }
  const pinnedJwk = jwkOf()
  const keys = createKeyRing(pinnedJwk)
  const signer = createLogSigner(keys, () => time.now)
  const linesOf = (note: string) => note.split('\n\n')[1]?.trimEnd().split('\n') ?? []
  const pinned = signer.verifierKey(NAME)
  const alone = linesOf(signer.sign(NAME, 'text\n'))
  const [second, third] = [1, 100].map((after) =>
    toRingKey(jwkOf(), { signsFrom: START + after - 1, formerUntil: START + after + 49 }),
  )

  before(() => {
    if (second && third) keys.setLater([second, third])
  })

  it('signs with the former key only, until the next one signs', () => {
    time.now = START - 1
    expect(linesOf(signer.sign(NAME, 'text\n'))).to.deep.equal(alone)
    expect(signer.verifierKey(NAME)).to.equal(pinned)
  })

  it('signs with both during the overlap, the newer one first', () => {
    time.now = START
    const [newer, former, ...more] = linesOf(signer.sign(NAME, 'text\n'))
    expect(more).to.deep.equal([])
    expect([former]).to.deep.equal(alone)
    expect(newer).not.to.equal(former)
    expect(signer.line(NAME, 'text\n')).to.equal(`${newer}\n`)
    time.now = START + 50
    expect(linesOf(signer.sign(NAME, 'text\n'))).to.deep.equal([newer])
  })

  it('no longer signs with any former key once the successor of a stolen one signs', () => {
    if (!second || !third) throw new Error('no keys')
    const ring = createKeyRing(pinnedJwk)
    ring.setLater([
      { ...second, formerUntil: START + 1_000 },
      { ...third, formerUntil: third.signsFrom },
    ])
    const log = createLogSigner(ring, () => time.now)
    time.now = third.signsFrom - 1
    expect(linesOf(log.sign(NAME, 'text\n'))).to.have.length(2)
    time.now = third.signsFrom
    expect(linesOf(log.sign(NAME, 'text\n'))).to.have.length(1)
  })

  it('hands over from each key to the next, in notes that a pinned key can be followed by', () => {
    time.now = START + 200
    const notes = signer.handovers(NAME)
    expect(notes.map((note) => parseHandover(note)?.signsFrom)).to.deep.equal([
      '2026-03-02T00:00:00.000Z',
      '2026-03-02T00:00:00.099Z',
    ])
    const { successors } = followHandovers(parseVerifierKey(pinned), notes)
    expect(successors.map(({ note }) => note)).to.deep.equal(notes)
    expect(successors.at(-1)?.key.keyId).to.equal(parseVerifierKey(signer.verifierKey(NAME)).keyId)
  })

  it('is not followed through a changed, reordered or foreign hand-over', () => {
    const notes = signer.handovers(NAME)
    const follow = (given: string[]) => {
      const { successors, refused } = followHandovers(parseVerifierKey(pinned), given)
      return [successors.length, ...refused.map(({ why }) => why)]
    }
    const signedBy = (keys: Parameters<typeof createLogSigner>[0]) =>
      createLogSigner(keys, () => START).handovers(NAME)
    const foreign = createLogSigner(createKeyRing(jwkOf()), () => START).verifierKey(NAME)
    const [first = ''] = notes
    const named = parseHandover(first)?.verifierKey ?? ''
    expect(follow([first.replace(named, foreign)])).to.deep.equal([0, 'its signature is invalid'])
    expect(follow([first.replace('2026', '2025')])).to.deep.equal([0, 'its signature is invalid'])
    expect(follow(notes.toReversed())).to.deep.equal([1])
    expect(follow([first, ...notes]), 'a repeated note').to.deep.equal([2])
    expect(follow(signer.handovers('registry.example/audit/0x01'))).to.deep.equal([0])
    expect(follow(['', first.slice(0, -1)])).to.deep.equal([0, 'it is malformed', 'it is malformed'])
    const other = createKeyRing(pinnedJwk)
    other.setLater([toRingKey(jwkOf(), { signsFrom: START, formerUntil: START + 50 })])
    expect(follow([...notes, ...signedBy(other)])).to.deep.equal([
      2,
      'the same key has named another successor before',
    ])
  })
})
