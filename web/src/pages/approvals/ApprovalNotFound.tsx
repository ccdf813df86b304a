import { Button } from '@mantine/core'
import { session } from '../../api/session.ts'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'

/** Stands where an approval would be that this account may not see, or that does not exist: nobody is told which. */
export function ApprovalNotFound() {
  const state = session.read()
  const who = state.status === 'signedIn' ? (state.user.email ?? state.user.developerId) : 'this account'
  return (
    <EmptyNote
      icon="search"
      title="Nothing here for this account"
      description={`There is no such request, or it was asked of another account than ${who}. If the link came by mail, sign in with the address that the mail was sent to.`}
    >
      {/* The address stays, so that signing in leads back here. */}
      <Button onClick={() => void session.end()}>Sign in with another account</Button>
      <LinkButton to="/approvals" variant="default">
        Your approvals
      </LinkButton>
    </EmptyNote>
  )
}
