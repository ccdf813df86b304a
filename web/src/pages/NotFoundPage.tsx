import { LinkButton } from '../parts/LinkButton.tsx'
import { EmptyNote } from '../parts/lists/EmptyNote.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'

/** Shown for an unknown address. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyNote
        icon="search"
        title="This page does not exist"
        description="The address may be misspelt, or the page may have moved."
      >
        <LinkButton to="/">Go to the overview</LinkButton>
      </EmptyNote>
    </>
  )
}
