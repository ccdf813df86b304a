type SignInFault = { title: string; text: string }

/** The codes are the service's. */
const FAULTS: Readonly<Record<string, SignInFault>> = {
  access_denied: { title: 'You were not signed in', text: 'It was declined at the provider.' },
  provider_error: {
    title: 'The provider refused',
    text: 'It did not say who you are. Try again, or sign in another way.',
  },
  provider_unavailable: {
    title: 'The provider does not answer',
    text: 'Try again in a while, or sign in another way.',
  },
  state_mismatch: {
    title: 'Begin again',
    text: 'This sign-in was begun in another browser or tab, more than ten minutes ago, or is over already.',
  },
  identity_rejected: {
    title: 'The provider’s answer does not hold',
    text: 'Nobody was signed in. Begin again; if it happens again, tell whoever runs this service.',
  },
  email_unverified: {
    title: 'Your e-mail address is not confirmed there',
    text: 'The provider does not vouch for your address, so that no account is made with it. Confirm it there, or create an account here.',
  },
  account_exists: {
    title: 'There is an account with this e-mail address',
    text: 'Sign in to it the way you did before, and link the provider on your account page.',
  },
  identity_taken: {
    title: 'Another account has it',
    text: 'This identity signs in to another account. Remove it there first.',
  },
  too_many: { title: 'Too many are linked', text: 'Remove one on your account page first.' },
  session_ended: {
    title: 'You were signed out meanwhile',
    text: 'Nothing was linked. Sign in and try again.',
  },
}

/** How a sign-in at an identity provider ended without one, in words. The code is of the address, which anybody can write. */
export function signInFaultOf(code: string): SignInFault {
  const fault = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined
  return fault ?? { title: 'There is nothing to end here', text: 'No sign-in was begun.' }
}
