import { expect } from 'chai'
import { describeSignInFault } from '../../../../web/src/pages/signIn/describeSignInFault.ts'

describe('describeSignInFault', () => {
  it('explains an error code', () => {
    expect(describeSignInFault('access_denied')).to.include({ title: 'Sign-in cancelled' })
  })

  it('treats inherited property names as unknown codes', () => {
    for (const code of ['', 'constructor', 'toString', '__proto__', 'of somebody’s own']) {
      expect(describeSignInFault(code), code).to.include({ title: 'No sign-in in progress' })
    }
  })
})
