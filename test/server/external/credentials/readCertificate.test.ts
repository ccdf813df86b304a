import { sign } from 'node:crypto'
import { expect } from 'chai'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import {
  type GeneralName,
  type MadeCertificate,
  makeCertificate,
} from '../../../harness/peers/makeCertificate.ts'
import { NOW, newKeys, openCredentialVerifier, STATEMENT } from '../openCredentialVerifier.ts'

describe('createCredentialVerifier', () => {
  const { root, offer, outcome, close } = openCredentialVerifier()

  after(close)

  describe('a certificate', () => {
    const proofBy = ({ privateKey }: MadeCertificate, statement: object = STATEMENT) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const input = `${part({ alg: 'ES256' })}.${part(statement)}`
      const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${input}.${signature.toString('base64url')}`
    }
    const between = makeCertificate({
      name: 'Between',
      keys: newKeys(),
      issuer: root,
      isAuthority: true,
      pathLength: 0,
    })
    const leafOf = (issuer: MadeCertificate, more: object = {}) =>
      makeCertificate({ name: 'agent.shop.io', keys: newKeys(), issuer, ...more })

    it('is accepted under a trusted root, directly or through authorities sent with it', async () => {
      const [direct, far] = [leafOf(root), leafOf(between)]
      expect(await outcome('x509', direct.pem, proofBy(direct))).to.equal('ok')
      expect(await outcome('x509', direct.der.toString('base64'), proofBy(direct))).to.equal('ok')
      const verified = await offer('x509', far.pem + between.pem, proofBy(far))
      expect(verified).to.deep.nested.include({ ok: true, 'credential.subject': 'CN=agent.shop.io' })
    })

    it('is refused with a proof by another key', async () => {
      const leaf = leafOf(root)
      expect(await outcome('x509', leaf.pem, proofBy(between))).to.equal('bad_proof')
      expect(await outcome('x509', leaf.pem, proofBy(leaf, { ...STATEMENT, nonce: 'x' }))).to.equal(
        'bad_proof',
      )
      expect(await outcome('x509', leaf.pem)).to.equal('bad_proof')
    })

    it('is refused if no chain ends at a trusted root', async () => {
      const impostor = makeCertificate({ name: 'Root', keys: newKeys(), isAuthority: true })
      const plain = leafOf(root)
      const tooDeep = makeCertificate({ name: 'Deep', keys: newKeys(), issuer: between, isAuthority: true })
      const old = { validTo: NOW - 1000, isAuthority: true, name: 'Old', keys: newKeys(), issuer: root }
      const expired = makeCertificate(old)
      const chains: [string, MadeCertificate[]][] = [
        ['self-signed', [makeCertificate({ name: 'me', keys: newKeys() })]],
        ['from a root of the same name', [leafOf(impostor), impostor]],
        ['without its authority', [leafOf(between)]],
        ['from a certificate that is not an authority', [leafOf(plain), plain]],
        ['longer than an authority allows', [leafOf(tooDeep), tooDeep, between]],
        ['from an expired authority', [leafOf(expired), expired]],
        ['with an unsupported critical extension', [leafOf(root, { criticalExtension: '551d24' })]],
        ['an authority itself', [between]],
      ]
      for (const [name, chain] of chains) {
        const [leaf] = chain
        if (leaf === undefined) throw new Error('empty')
        const value = chain.map(({ pem }) => pem).join('')
        expect(await outcome('x509', value, proofBy(leaf)), name).to.equal('untrusted')
      }
    })

    it('is refused if its key is not for signatures', async () => {
      // All combinations of the other seven usages.
      for (let keyUsage = 1; keyUsage < 0x80; keyUsage += 1) {
        const leaf = leafOf(root, { keyUsage })
        expect(await outcome('x509', leaf.pem, proofBy(leaf)), String(keyUsage)).to.equal('wrong_usage')
      }
      for (const keyUsage of [null, 0x80, 0xa0]) {
        const leaf = leafOf(root, { keyUsage })
        expect(await outcome('x509', leaf.pem, proofBy(leaf)), String(keyUsage)).to.equal('ok')
      }
      reportFaultFigure(
        'certificates with each of 127 combinations of usages other than signatures: 0 accepted',
      )
    })

    describe('below an authority with name constraints', () => {
      type Names = readonly GeneralName[]
      /** Leaves within and outside the constraints of an authority, by their alternative names. */
      const cases: [
        name: string,
        limits: { permitted?: Names; excluded?: Names },
        inside: Names,
        outside: Names,
      ][] = [
        [
          'permitted host',
          { permitted: [['dns', 'shop.io']] },
          [['dns', 'a.Shop.io']],
          [['dns', 'xshop.io']],
        ],
        ['excluded host', { excluded: [['dns', 'shop.io']] }, [['dns', 'other.io']], [['dns', 'a.shop.io']]],
        [
          'one of two hosts permitted',
          { permitted: [['dns', '.shop.io']] },
          [['dns', 'a.shop.io']],
          [
            ['dns', 'a.shop.io'],
            ['dns', 'other.io'],
          ],
        ],
        [
          'permitted mail',
          { permitted: [['email', 'shop.io']] },
          [['email', 'a@shop.io']],
          [['email', 'a@b.shop.io']],
        ],
        [
          'excluded mailbox',
          { excluded: [['email', 'a@shop.io']] },
          [['email', 'b@shop.io']],
          [['email', 'a@SHOP.io']],
        ],
        [
          'permitted network',
          { permitted: [['ip', '0a000000ff000000']] },
          [['ip', '0a010203']],
          [['ip', '0b010203']],
        ],
        [
          'excluded network',
          { excluded: [['ip', '0a000000ff000000']] },
          [['ip', '0b010203']],
          [['ip', '0a010203']],
        ],
        [
          'permitted network of IPv6',
          { permitted: [['ip', `20010db8${'00'.repeat(12)}ffffffff${'00'.repeat(12)}`]] },
          [['ip', `20010db8${'00'.repeat(11)}01`]],
          [['ip', `20010db9${'00'.repeat(11)}01`]],
        ],
        [
          'permitted network of the other kind',
          { permitted: [['ip', '0a000000ff000000']] },
          [['ip', '0a000001']],
          [['ip', `${'00'.repeat(10)}ffff0a000001`]],
        ],
        ['address of no kind', { excluded: [['ip', '0a000000ff000000']] }, [], [['ip', '0a0000']]],
        [
          'permitted URL',
          { permitted: [['url', '.shop.io']] },
          [['url', 'https://a.shop.io/x']],
          [['url', 'https://b.io']],
        ],
        [
          'excluded URL',
          { excluded: [['url', 'shop.io']] },
          [['url', 'https://b.io']],
          [['url', 'https://u@shop.io:1/']],
        ],
        ['excluded URL without a host', { excluded: [['url', 'shop.io']] }, [], [['url', 'urn:x']]],
        ['permitted subject', { permitted: [['dn', 'Agent.shop.io']] }, [], [['dn', 'other']]],
        ['excluded subject', { excluded: [['dn', 'other']] }, [], [['dn', 'OTHER']]],
      ]
      for (const isStrict of [false, true]) {
        for (const [name, limits, inside, outside] of cases) {
          it(`is held to them: ${name}, ${isStrict ? 'critical' : 'not critical'}`, async () => {
            const authority = { name: 'Bounded', keys: newKeys(), issuer: root, isAuthority: true, isStrict }
            const bounded = makeCertificate({ ...authority, ...limits })
            const found = []
            for (const names of [inside, outside]) {
              const leaf = leafOf(bounded, names.length === 0 ? {} : { names })
              found.push(await outcome('x509', leaf.pem + bounded.pem, proofBy(leaf)))
            }
            expect(found).to.deep.equal(['ok', 'untrusted'])
          })
        }
      }

      it('is held to those of every authority above it, with its common name as a host name', async () => {
        const authority = { keys: newKeys(), isAuthority: true }
        const top = makeCertificate({
          ...authority,
          name: 'Top',
          issuer: root,
          excluded: [['dns', 'shop.io']],
        })
        const low = makeCertificate({ ...authority, keys: newKeys(), name: 'Low', issuer: top })
        const leaf = leafOf(low)
        expect(await outcome('x509', leaf.pem + low.pem + top.pem, proofBy(leaf))).to.equal('untrusted')
      })

      it('is refused if they have a mask with gaps, which would be read as another network', async () => {
        const authority = { name: 'Gaps', keys: newKeys(), issuer: root, isAuthority: true }
        const gaps = makeCertificate({ ...authority, excluded: [['ip', '0a000000ff00ff00']] })
        const leaf = leafOf(gaps)
        expect(await outcome('x509', leaf.pem + gaps.pem, proofBy(leaf))).to.equal('malformed')
      })

      it('is refused if they are of a form that cannot be compared', async () => {
        const authority = { name: 'Odd', keys: newKeys(), issuer: root, isAuthority: true }
        const odd = makeCertificate({ ...authority, permitted: [['id', 'x']] })
        const leaf = leafOf(odd)
        expect(await outcome('x509', leaf.pem + odd.pem, proofBy(leaf))).to.equal('untrusted')
      })
    })

    it('is refused if an extension that is judged is repeated', async () => {
      const repeated = leafOf(root, { criticalExtension: '551d0f' })
      expect(await outcome('x509', repeated.pem, proofBy(repeated))).to.equal('malformed')
    })

    it('is refused before and after its validity, and if malformed', async () => {
      const late = leafOf(root, { validTo: NOW - 1000 })
      const early = leafOf(root, { validFrom: NOW + 120_000 })
      expect(await outcome('x509', late.pem, proofBy(late))).to.equal('expired')
      expect(await outcome('x509', early.pem, proofBy(early))).to.equal('not_yet_valid')
      const leaf = leafOf(root)
      for (const value of [
        'certificate',
        leaf.der.subarray(0, -1).toString('base64'),
        Buffer.concat([leaf.der, Buffer.from([0])]).toString('base64'),
        leaf.pem.repeat(6),
      ]) {
        expect(await outcome('x509', value, proofBy(leaf)), value.slice(0, 30)).to.equal('malformed')
      }
    })
  })
})
