/** A command lacks the credential that it needs. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn'
}
