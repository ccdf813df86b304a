import { expect } from 'chai'
import { describeSignInFault } from '../../../../web/src/pages/signIn/describeSignInFault.ts'

describe('describeSignInFault', () => {
  it('says in words how a sign-in ended', () => {
    expect(describeSignInFault('access_denied')).to.include({ title: 'Sign-in cancelled' })
  })

  it('knows no code by an inherited name', () => {
    for (const code of ['', 'constructor', 'toString', '__proto__', 'of somebody’s own']) {
      expect(describeSignInFault(code), code).to.include({ title: 'No sign-in in progress' })
    }
  })
})
