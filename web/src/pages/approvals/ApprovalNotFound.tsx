import { Button } from '@mantine/core'
import { session } from '../../api/session.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'

/** Shown for an approval that does not exist or that this account may not see, without revealing which. */
export function ApprovalNotFound() {
  const state = session.read()
  const account = state.status === 'signedIn' ? (state.user.email ?? state.user.developerId) : 'this account'
  return (
    <EmptyNote
      icon="search"
      title="Request not found"
      description={`This request does not exist, or it belongs to an account other than ${account}. If you followed a link in an e-mail, sign in with the address it was sent to.`}
    >
      {/* The path stays the same, so signing in returns here. */}
      <Button onClick={() => void session.end()}>Sign in with another account</Button>
      <LinkButton to="/approvals" variant="default">
        Your approvals
      </LinkButton>
    </EmptyNote>
  )
}
