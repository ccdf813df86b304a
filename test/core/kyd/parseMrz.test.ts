import { computeMrzCheckDigit } from '@svc/core/kyd/mrzFields.ts'
import { parseMrz } from '@svc/core/kyd/parseMrz.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { buildMrzLines, type MrzFields } from '../../builders/buildMrzLines.ts'
import { anyText } from '../../harness/values/anyText.ts'

/** The specimen of ICAO Doc 9303-4 Appendix A, which expired in 2012. */
const SPECIMEN = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
] as const
const WHEN_VALID = '2010-06-01'
const TODAY = '2026-11-21'

const codes = (text: string, today = TODAY) => {
  const parsed = parseMrz(text, today)
  return parsed.ok ? [] : parsed.errors.map(({ pointer, code }) => `${pointer} ${code}`)
}
const codesOf = (fields: Partial<MrzFields>) => codes(buildMrzLines(fields))

describe('the machine readable zone', () => {
  it('of the specimen is read', () => {
    expect(parseMrz(SPECIMEN.join('\n'), WHEN_VALID)).to.deep.equal({
      ok: true,
      facts: {
        issuer: 'UTO',
        surname: 'ERIKSSON',
        givenNames: 'ANNA MARIA',
        documentNumber: 'L898902C3',
        nationality: 'UTO',
        birthDate: '1974-08-12',
        sex: 'F',
        expiryDate: '2012-04-15',
      },
    })
  })

  it('may be typed with lower-case letters, spaces and empty lines', () => {
    const typed = `\r\n ${SPECIMEN[0].toLowerCase()} \r\n\r\n${SPECIMEN[1].replace(/(.{10})/g, '$1 ')}\n`
    expect(parseMrz(typed, WHEN_VALID)).to.deep.equal(parseMrz(SPECIMEN.join('\n'), WHEN_VALID))
  })

  it('is rejected with a letter such as ß, whose upper case is another text', () => {
    expect(codes(SPECIMEN.join('\n').replace('ERIKSSON', 'ERIKßON'), WHEN_VALID)).to.deep.equal([
      '/mrz/line1 invalid_format',
    ])
  })

  it('is rejected from the day after its expiry', () => {
    expect(codes(SPECIMEN.join('\n'), '2012-04-15')).to.deep.equal([])
    expect(codes(SPECIMEN.join('\n'), '2012-04-16')).to.deep.equal(['/mrz/expiryDate expired'])
  })

  for (const [name, text, expected] of [
    ['no line', '', '/mrz invalid_format'],
    ['one line', SPECIMEN[0], '/mrz invalid_format'],
    ['three lines', `${SPECIMEN.join('\n')}\n${SPECIMEN[0]}`, '/mrz invalid_format'],
    ['a short line', `${SPECIMEN[0]}\n${SPECIMEN[1].slice(1)}`, '/mrz/line2 too_small'],
    ['a long line', `${SPECIMEN[0]}<\n${SPECIMEN[1]}`, '/mrz/line1 too_big'],
    [
      'the document code of an identity card',
      buildMrzLines({ documentCode: 'I<' }),
      '/mrz/documentCode not_a_passport',
    ],
    ['digits in the issuing state', buildMrzLines({ issuer: '1TO' }), '/mrz/issuer invalid_format'],
    ['no surname', buildMrzLines({ names: '<<ANNA' }), '/mrz/names invalid_format'],
    ['a digit in a name', buildMrzLines({ names: 'ER1KSSON<<ANNA' }), '/mrz/names invalid_format'],
    ['a name of three parts', buildMrzLines({ names: 'A<<B<<C' }), '/mrz/names invalid_format'],
    ['no number', buildMrzLines({ documentNumber: '' }), '/mrz/documentNumber invalid_format'],
    ['no nationality', buildMrzLines({ nationality: '<<<' }), '/mrz/nationality invalid_format'],
    ['a thirteenth month', buildMrzLines({ birth: '741312' }), '/mrz/birthDate invalid_date'],
    ['a leap day of another year', buildMrzLines({ birth: '750229' }), '/mrz/birthDate invalid_date'],
    ['an invalid sex', buildMrzLines({ sex: 'A' }), '/mrz/sex invalid_format'],
    [
      'a day beyond the end of the month',
      buildMrzLines({ expiry: '300431' }),
      '/mrz/expiryDate invalid_date',
    ],
    ['an unknown day of expiry', buildMrzLines({ expiry: '3004<<' }), '/mrz/expiryDate invalid_date'],
  ] as const) {
    it(`is rejected with ${name}, reported by field`, () => {
      expect(codes(text)).to.deep.equal([expected])
    })
  }

  it('has all its faults reported together, without repeating the input', () => {
    const text = buildMrzLines({ names: '<<ANNA', documentNumber: 'SECRET123', sex: 'A' }).replace(
      'SECRET123',
      'SECRET124',
    )
    const parsed = parseMrz(text, TODAY)
    expect(codes(text)).to.deep.equal([
      '/mrz/names invalid_format',
      '/mrz/sex invalid_format',
      '/mrz/documentNumber wrong_check_digit',
      '/mrz/composite wrong_check_digit',
    ])
    expect(JSON.stringify(parsed)).not.to.contain('SECRET')
  })

  describe('has two-digit years', () => {
    const born = (birth: string) => {
      const parsed = parseMrz(buildMrzLines({ birth }), TODAY)
      return parsed.ok ? parsed.facts.birthDate : null
    }

    it('that mean the latest year not after today', () => {
      expect(born('261121')).to.equal('2026-11-21')
      expect(born('261122')).to.equal('1926-11-22')
      expect(born('000229')).to.equal('2000-02-29')
    })

    it('in partially known dates', () => {
      expect([born('7408<<'), born('74<<<<'), born('<<<<<<')]).to.deep.equal(['1974-08', '1974', ''])
    })
  })

  it('may omit the given names, the optional data with its check digit, and the sex', () => {
    expect(codesOf({ names: 'ARKFREITH', optional: '', sex: '<' })).to.deep.equal([])
    const filler = buildMrzLines({ optional: '' }).split('\n')
    const [first = '', second = ''] = filler
    expect(second[42]).to.equal('0')
    expect(codes(`${first}\n${second.slice(0, 42)}<${second.slice(43)}`)).to.deep.equal([])
  })

  it('agrees with a zone written by an independent twin', () => {
    const letters = (max: number) => fc.stringMatching(new RegExp(`^[A-Z]{1,${max}}$`))
    const day = fc.date({ min: new Date('1930-01-01'), max: new Date('2025-12-31'), noInvalidDate: true })
    const until = fc.date({ min: new Date('2026-11-22'), max: new Date('2040-12-31'), noInvalidDate: true })
    const iso = (date: Date) => date.toISOString().slice(0, 10)
    const short = (date: Date) => iso(date).replaceAll('-', '').slice(2)
    fc.assert(
      fc.property(
        fc.record({
          surname: letters(12),
          given: fc.array(letters(6), { maxLength: 3 }),
          issuer: letters(3),
          documentNumber: fc.stringMatching(/^[A-Z0-9]{1,9}$/),
          sex: fc.constantFrom('F', 'M', '<'),
          birth: day,
          expiry: until,
          optional: fc.stringMatching(/^[A-Z0-9]{0,14}$/),
        }),
        ({ surname, given, birth, expiry, ...fields }) => {
          const names = given.length === 0 ? surname : `${surname}<<${given.join('<')}`
          const parsed = parseMrz(
            buildMrzLines({ ...fields, names, birth: short(birth), expiry: short(expiry) }),
            TODAY,
          )
          if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
          expect(parsed.facts).to.deep.equal({
            issuer: fields.issuer,
            surname,
            givenNames: given.join(' '),
            documentNumber: fields.documentNumber,
            nationality: 'UTO',
            // A person older than a hundred reads as a child: the zone cannot express it.
            birthDate: iso(birth) > '1926-11-21' ? iso(birth) : iso(birth).replace(/^19/, '20'),
            sex: fields.sex === '<' ? 'unspecified' : fields.sex,
            expiryDate: iso(expiry),
          })
        },
      ),
    )
  })

  it('is rejected if any one character of the second line is changed for one of another check value', () => {
    const [first = '', second = ''] = buildMrzLines({}).split('\n')
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<'
    // No check digit covers the nationality and the sex. Characters ten apart have the same value, by the standard.
    const covered = Array.from({ length: 44 }, (_, at) => at).filter(
      (at) => (at < 10 || at > 12) && at !== 20,
    )
    fc.assert(
      fc.property(fc.constantFrom(...covered), fc.constantFrom(...ALPHABET), (at, character) => {
        const differs = (computeMrzCheckDigit(character) - computeMrzCheckDigit(second[at] ?? '')) % 10 !== 0
        fc.pre(differs)
        const changed = `${first}\n${second.slice(0, at)}${character}${second.slice(at + 1)}`
        expect(parseMrz(changed, TODAY).ok).to.equal(false)
      }),
    )
  })

  it('is rejected without an exception, whatever is typed', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(parseMrz(text, TODAY).ok).to.equal(false)
      }),
    )
  })
})
