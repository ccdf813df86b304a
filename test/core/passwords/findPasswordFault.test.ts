import { findPasswordFault } from '@svc/core/passwords/findPasswordFault.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const GRACE = { email: 'grace.hopper@example.org', fullName: 'Grace Hopper' }
const NOBODY = { email: null, fullName: null }

describe('findPasswordFault', () => {
  for (const [code, passwords] of [
    [
      'common',
      [
        'password123',
        'P@ssw0rd!23',
        'PASSWORD 2026!',
        'passwordpassword',
        'dragon123456',
        '2024sunshine!',
        'iloveyouforever',
        'Letmein99999',
        'correct horse battery staple',
        'monkey.dragon',
        '$unshine2020',
        'ｐａｓｓｗｏｒｄ１２３',
      ],
    ],
    [
      'repetitive',
      ['aaaaaaaaaa', '1212121212', 'abababababab', 'xyzaxyzaxyza', '..........', 'aabbaabbccaa'],
    ],
    [
      'sequence',
      ['1234567890', 'abcdefghij', 'qwertyuiop', '0987654321', 'asdfghjkl1', 'qwerty123456', '1qaz2wsx3edc'],
    ],
    [
      'personal',
      [
        'grace.hopper@example.org',
        'GraceHopper-secret!9',
        'grace.hopper.1906',
        'hopper123456',
        'Grace  Hopper',
        'xgracehopperx',
      ],
    ],
  ] as const) {
    for (const password of passwords) {
      it(`calls ${password} ${code}`, () => {
        expect(findPasswordFault(password, GRACE)?.code).to.equal(code)
      })
    }
  }

  for (const password of [
    'correct horse battery',
    'plinth ocarina 77',
    'Kx9#vT2$mQ',
    'hopper of green seeds',
    'сорок тысяч обезьян',
    '我喜欢在雨天散步读书',
  ]) {
    it(`finds no fault in ${password}`, () => {
      expect(findPasswordFault(password, GRACE)).to.equal(null)
    })
  }

  it('makes no demands based on an account that has neither address nor name', () => {
    expect(findPasswordFault('grace.hopper.1906', NOBODY)).to.equal(null)
  })

  it('judges every text, regardless of case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (password, email, fullName) => {
        const fault = findPasswordFault(password, { email, fullName })
        const ascii = /^[\x20-\x7e]*$/.test(password + email + fullName)
        if (ascii) expect(findPasswordFault(password.toUpperCase(), { email, fullName })).to.deep.equal(fault)
      }),
    )
  })

  it('rejects every password that contains the whole address or the whole name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(findPasswordFault(`${before}${GRACE.email}${after}`, GRACE)?.code).to.equal('personal')
        expect(findPasswordFault(`${before}gracehopper${after}`, GRACE)?.code).to.equal('personal')
      }),
    )
  })
})
