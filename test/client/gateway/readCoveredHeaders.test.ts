import { listCoveredNames, readCoveredHeaders } from '@svc/client/gateway/readCoveredHeaders.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { isInnerList, parseDictionary } from 'structured-headers'

const covered = (input: string) => listCoveredNames({ 'signature-input': input })

describe('the headers that a signature covers', () => {
  it('are those between the brackets, for each signature', () => {
    expect(
      covered('svc=("@method" "x-svc-id" "signature-agent";key="a");keyid="k", b=("date" "@method")'),
    ).to.deep.equal([
      ['@method', 'x-svc-id', 'signature-agent'],
      ['date', '@method'],
    ])
    for (const input of ['', 'svc', 'svc=()', 'svc="date"', 'svc=(date);nonce="cookie"', 'svc=();a=("b']) {
      expect(covered(input).flat(), input).to.deep.equal([])
    }
  })

  it('are not found among the parameters, whatever these contain', () => {
    expect(covered('svc=("date");nonce="a) (\\"cookie\\" (";keyid="(\\"via\\")"')).to.deep.equal([['date']])
    expect(covered('svc=("a";key="(\\"b\\"");created=1')).to.deep.equal([['a']])
  })

  it('are those that a parser of structured fields finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '(', ')', ' ', '=', ';', ',', '@') })
    const quoted = text.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`)
    const list = fc
      .tuple(fc.array(fc.constantFrom('"a"', '"@b"', '"c";key="x"', '"d";bs')), quoted, quoted)
      .map(([items, nonce, keyid]) => `(${items.join(' ')});nonce=${nonce};keyid=${keyid}`)
    fc.assert(
      fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
        const input = lists.map((value, at) => `s${at}=${value}`).join(', ')
        const parsed = [...parseDictionary(input).values()].map((member) =>
          isInnerList(member) ? member[0].map(([name]) => String(name)) : [],
        )
        expect(covered(input)).to.deep.equal(parsed)
      }),
    )
  })

  it('are handed over by lower-case name, without secrets and without what has a name of its own', () => {
    const secrets = {
      ...{
        authorization: 's',
        cookie: 's',
        'proxy-authorization': 's',
        'x-svc-token': 's',
        'x-api-key': 's',
      },
      ...{
        'x-apikey': 's',
        'x-client-secret': 's',
        'x-password': 's',
        'set-cookie': 's',
        'x-amz-security-token': 's',
      },
    }
    const names = [
      ...Object.keys(secrets),
      'x-svc-id',
      'content-type',
      'content-digest',
      'signature',
      '@path',
      'missing',
    ]
    const headers = {
      ...secrets,
      ...{ 'x-svc-id': 'SVC-1', 'content-type': 'a/b', 'content-digest': 'c', signature: 'd', other: 'e' },
      'signature-input': `svc=(${names.map((name) => `"${name}"`).join(' ')})`,
    }
    expect(readCoveredHeaders(headers)).to.deep.equal({ 'x-svc-id': 'SVC-1', 'content-type': 'a/b' })
  })

  it('are not taken from a prototype', () => {
    expect(
      readCoveredHeaders({ 'signature-input': 's=("constructor" "__proto__" "toString")' }),
    ).to.deep.equal({})
  })

  it('are those of each signature, however many another one covers', () => {
    const others = Array.from({ length: 60 }, (_, at) => `x-h${at}`)
    const own = ['@method', 'x-svc-id', 'x-svc-purpose', 'x-own']
    const headers = Object.fromEntries([...others, ...own.slice(1)].map((name) => [name, 'v']))
    const write = (names: readonly string[]) => `(${names.map((name) => `"${name}"`).join(' ')})`
    const input = `proxy=${write(others)}, svc=${write(own)}`
    const handedOver = Object.keys(readCoveredHeaders({ ...headers, 'signature-input': input }))
    expect(handedOver).to.have.lengthOf(40)
    expect(handedOver).to.include.members(own.slice(1))
  })

  it('count for no signature if they are not handed over', () => {
    const derived = ['@method', '@authority', '@path', '@query', 'content-digest']
    const names = [...derived, ...Array.from({ length: 35 }, (_, at) => `x-h${at}`)]
    const headers = Object.fromEntries(names.slice(4).map((name) => [name, 'v']))
    const input = `a=(${names.map((name) => `"${name}"`).join(' ')}), b=("x-svc-id")`
    const handedOver = readCoveredHeaders({ ...headers, 'x-svc-id': 'SVC-1', 'signature-input': input })
    expect(Object.keys(handedOver)).to.include.members(['x-svc-id', 'x-h34'])
  })

  it('are no more and no longer than the service stores', () => {
    const names = Array.from({ length: 60 }, (_, at) => `x-h${at}`)
    const headers = Object.fromEntries(names.map((name) => [name, 'v']))
    const input = `s=(${names.map((name) => `"${name}"`).join(' ')} "x-long")`
    expect(Object.keys(readCoveredHeaders({ ...headers, 'signature-input': input }))).to.have.lengthOf(40)
    const long = {
      'x-long': 'v'.repeat(8_193),
      'x-most': 'v'.repeat(8_192),
      'signature-input': 's=("x-long" "x-most")',
    }
    expect(Object.keys(readCoveredHeaders(long))).to.deep.equal(['x-most'])
  })
})
