import { EmptyNote } from '../parts/EmptyNote.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'

/** What an address gets that the dashboard does not have. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Nothing here" />
      <EmptyNote
        icon="search"
        title="This page does not exist"
        description="The address may be misspelt, or what it led to has another one now."
      >
        <LinkButton to="/">Go to the overview</LinkButton>
      </EmptyNote>
    </>
  )
}
