import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { scaleCaseCount } from '../../../harness/values/scaleCaseCount.ts'
import { AUDIENCE, openCredentialVerifier } from '../openCredentialVerifier.ts'
import { createSdJwtParties, digestOf, disclose, type Presentation } from './signSdJwt.ts'

const CHANGED = scaleCaseCount(2_000)
const { present, otherKey, now } = createSdJwtParties()

const level = disclose('salt-1', 'level', 3)
const region = disclose('salt-2', 'region', 'EU')
const element = disclose('salt-3', 'DE')
const street = disclose('salt-4', 'street', 'Main St')
const address = disclose('salt-5', 'address', { _sd: [street.digest] })

/** A presentation that discloses each of some claims by a digest at the top level. */
const claims = (...disclosures: readonly { text: string; digest: string }[]): Presentation => ({
  payload: { _sd: disclosures.map(({ digest }) => digest) },
  disclosures: disclosures.map(({ text }) => text),
})
const elements = (items: readonly unknown[], ...disclosures: string[]): Presentation => ({
  payload: { items },
  disclosures,
})
const pad = (text: string) => `${text}${'='.repeat((4 - (text.length % 4)) % 4)}`
const unpadded = disclose('salt', 'n', 1)
const notJson = Buffer.from('["salt","level",3').toString('base64url')

/** The rule of RFC 9901 that a presentation breaks, what it does, and the fault that it is refused for. */
const CASES: readonly (readonly [rule: string, name: string, presentation: Presentation, fault: string])[] = [
  ['7.1 2.5', 'digests of an unsupported algorithm', { payload: { _sd_alg: 'sha-512' } }, 'unsupported'],
  ['7.1 2.5', 'an algorithm in another spelling', { payload: { _sd_alg: 'SHA-256' } }, 'unsupported'],
  ['4.1.1', 'a nested algorithm', { payload: { of: { _sd_alg: 'sha-256' } } }, 'malformed'],
  ['4.1.1', 'a disclosed algorithm', claims(disclose('s', '_sd_alg', 'sha-256')), 'malformed'],
  ['7.1 3.2', 'digests that are no list', { payload: { _sd: level.digest } }, 'malformed'],
  ['7.1 3.2', 'a digest that is no text', { payload: { _sd: [7] } }, 'malformed'],
  ['7.1 3.2', 'an element digest that is no text', elements([{ '...': 7 }]), 'malformed'],
  ['4.2.4.2', 'an element digest with another member', elements([{ '...': 'a', b: 1 }]), 'malformed'],
  ['4.2.4.2', 'an element digest outside a list', { payload: { of: { '...': 'a' } } }, 'malformed'],
  ['7.1 3.3.2.1', 'a claim of two elements', claims(disclose('s', 'level')), 'malformed'],
  ['7.1 3.3.2.1', 'a claim of four elements', claims(disclose('s', 'level', 3, 4)), 'malformed'],
  ['7.1 3.3.2.1', 'a claim whose salt is no text', claims(disclose(1, 'level', 3)), 'malformed'],
  ['7.1 3.3.2.1', 'a claim whose name is no text', claims(disclose('s', 7, 3)), 'malformed'],
  ['7.1 3.3.2.1', 'an element in place of a claim', claims(element), 'malformed'],
  ['7.1 3.3.2.2', 'a claim named _sd', claims(disclose('s', '_sd', [])), 'malformed'],
  ['7.1 3.3.2.2', 'a claim named …', claims(disclose('s', '...', 'x')), 'malformed'],
  ['7.1 3.3.2.3', 'a claim that the token has', claims(disclose('s', 'iss', 'did:web:x.io')), 'malformed'],
  ['7.1 3.3.2.3', 'another key of the holder', claims(disclose('s', 'cnf', { jwk: otherKey })), 'malformed'],
  ['7.1 3.3.2.3', 'one claim twice', claims(level, disclose('s', 'level', 4)), 'malformed'],
  [
    '7.1 3.3.2.3',
    'a nested claim that its object has',
    claims(disclose('s', 'address', { _sd: [street.digest], street: 'Elm St' }), street),
    'malformed',
  ],
  [
    '7.1 3.3.3.1',
    'a claim in place of an element',
    elements([{ '...': level.digest }], level.text),
    'malformed',
  ],
  [
    '7.1 3.3.3.1',
    'an element without a value',
    elements([{ '...': digestOf('WyJzIl0') }], 'WyJzIl0'),
    'malformed',
  ],
  ['7.1 4', 'one digest twice in a list', { payload: { _sd: ['a', 'a'] } }, 'malformed'],
  ['7.1 4', 'one digest at two levels', { payload: { _sd: ['a'], of: { _sd: ['a'] } } }, 'malformed'],
  [
    '7.1 4',
    'one digest for a claim and an element',
    { payload: { _sd: ['a'], of: [{ '...': 'a' }] } },
    'malformed',
  ],
  [
    '7.1 4',
    'one element twice',
    elements([{ '...': element.digest }, { '...': element.digest }], element.text),
    'malformed',
  ],
  [
    '7.1 4',
    'a digest of the token again in a disclosure',
    { payload: { _sd: [address.digest, street.digest] }, disclosures: [address.text, street.text] },
    'malformed',
  ],
  [
    '7.1 5',
    'a forged claim',
    { payload: { _sd: [level.digest] }, disclosures: [disclose('salt-1', 'level', 99).text] },
    'malformed',
  ],
  [
    '7.1 5',
    'a disclosure that no digest refers to',
    { ...claims(level), disclosures: [level.text, region.text] },
    'malformed',
  ],
  ['7.1 5', 'a disclosure twice', { ...claims(level), disclosures: [level.text, level.text] }, 'malformed'],
  [
    '7.1 5',
    'a nested claim without the one around it',
    { ...claims(address), disclosures: [street.text] },
    'malformed',
  ],
  ['7.1 5', 'an empty disclosure', { ...claims(level), disclosures: [level.text, ''] }, 'malformed'],
  [
    '7.1 5',
    'a disclosure with padding',
    { payload: { _sd: [digestOf(pad(unpadded.text))] }, disclosures: [pad(unpadded.text)] },
    'malformed',
  ],
  [
    '7.1 5',
    'a disclosure that is not JSON',
    { payload: { _sd: [digestOf(notJson)] }, disclosures: [notJson] },
    'malformed',
  ],
  [
    '7.1 5',
    'a disclosure that is no list',
    { payload: { _sd: [digestOf('e30')] }, disclosures: ['e30'] },
    'malformed',
  ],
  ['7.1 6', 'a disclosed time of expiry in the past', claims(disclose('s', 'exp', now - 1)), 'expired'],
  ['7.1 6', 'a disclosed beginning in the future', claims(disclose('s', 'nbf', now + 120)), 'not_yet_valid'],
  ['7.1 6', 'a disclosed time that is none', claims(disclose('s', 'exp', 'never')), 'malformed'],
  ['7.1 6', 'another audience', { payload: { aud: 'https://other.io' } }, 'wrong_audience'],
  [
    '7.1 6',
    'a disclosed other audience',
    claims(disclose('s', 'aud', ['https://other.io'])),
    'wrong_audience',
  ],
  ['7.3 5.1', 'no key of the holder', { payload: { cnf: undefined } }, 'not_bound'],
  [
    '7.3 5.3',
    'a disclosed key that did not sign',
    {
      payload: { cnf: undefined, _sd: [disclose('s', 'cnf', { jwk: otherKey }).digest] },
      disclosures: [disclose('s', 'cnf', { jwk: otherKey }).text],
    },
    'bad_proof',
  ],
  ['7.3 5.4', 'a key binding of another type', { bindingHeader: { typ: 'JWT' } }, 'bad_proof'],
  ['7.3 5.4', 'a key binding without a type', { bindingHeader: { typ: undefined } }, 'bad_proof'],
  ['7.3 5.5', 'an old key binding', { binding: { iat: now - 601 } }, 'bad_proof'],
  ['7.3 5.6', 'a key binding for another challenge', { binding: { nonce: 'other' } }, 'bad_proof'],
  ['7.3 5.6', 'a key binding for another audience', { binding: { aud: 'https://other.io' } }, 'bad_proof'],
  [
    '7.3 5.7',
    'a key binding over another presentation',
    { binding: { sd_hash: digestOf('other') } },
    'bad_proof',
  ],
  ['7.3 5.7', 'a key binding over nothing', { binding: { sd_hash: undefined } }, 'bad_proof'],
  ['7.3 5.8', 'an expired key binding', { binding: { exp: now - 1 } }, 'bad_proof'],
  ['7.3 5.8', 'a key binding not valid yet', { binding: { nbf: now + 700 } }, 'bad_proof'],
]

describe('an SD-JWT', () => {
  const { offer, outcome, close } = openCredentialVerifier()

  after(close)

  it('is accepted with claims, elements and nested claims disclosed, and others withheld', async () => {
    const presentation: Presentation = {
      payload: {
        aud: [AUDIENCE, 'https://other.io'],
        _sd: ['withheld', level.digest, address.digest],
        items: [1, { '...': element.digest }, { '...': 'decoy' }],
      },
      disclosures: [street.text, element.text, level.text, address.text],
    }
    expect(await outcome('sd_jwt', present(presentation))).to.equal('ok')
    expect(await outcome('sd_jwt', present({ payload: { aud: new URL(AUDIENCE).origin } }))).to.equal('ok')
  })

  it('is judged by its claims together with the disclosed ones', async () => {
    const subject = disclose('s', 'sub', 'did:web:ada.io')
    const verified = await offer('sd_jwt', present(claims(subject, disclose('s', 'exp', now + 60))))
    expect(verified).to.deep.nested.include({
      ok: true,
      'credential.subject': 'did:web:ada.io',
      'credential.expiresAt': (now + 60) * 1000,
    })
  })

  for (const [rule, name, presentation, fault] of CASES) {
    it(`with ${name} is refused (RFC 9901 §${rule.replace(' ', ' step ')})`, async () => {
      expect(await outcome('sd_jwt', present(presentation))).to.equal(fault)
    })
  }

  it(`is refused after any of ${CHANGED} random changes of its disclosures`, async () => {
    const parts = { payload: { _sd: [level.digest, address.digest], items: [{ '...': element.digest }] } }
    const texts = [level.text, address.text, street.text, element.text]
    expect(await outcome('sd_jwt', present({ ...parts, disclosures: texts }))).to.equal('ok')
    for (let round = 0; round < CHANGED; round += 1) {
      const disclosures = changeOne(texts)
      expect(await outcome('sd_jwt', present({ ...parts, disclosures })), disclosures.join('~')).to.equal(
        'malformed',
      )
    }
    reportFaultFigure(
      `${CASES.length} SD-JWTs, each breaking one rule of RFC 9901 §7, and ${CHANGED} with changed disclosures: 0 accepted`,
    )
  })
})

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Changes a character of one disclosure, or adds a copy of one, a disclosure of nothing, or an empty one. */
function changeOne(texts: readonly string[]): string[] {
  const place = randomInt(texts.length)
  const text = texts[place] ?? ''
  const at = randomInt(text.length)
  const other = CHARACTERS.replace(text.charAt(at), '').charAt(randomInt(63))
  const added = [text, disclose(`salt-${randomInt(1_000)}`, 'level', 3).text, ''][randomInt(3)] ?? ''
  return randomInt(2) === 0
    ? texts.with(place, text.slice(0, at) + other + text.slice(at + 1))
    : texts.toSpliced(place, 0, added)
}
