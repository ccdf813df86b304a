import { Alert, Button, Modal, Stack } from '@mantine/core'
import { listManagedRoles } from '@svc/core/memberRole.ts'
import { useState } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { revealText } from '../../parts/code/revealText.ts'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { SupportContact } from '../../parts/SupportContact.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { InviteMember } from './InviteMember.tsx'
import { MembersSection } from './MembersSection.tsx'

/** An organisation of the account and its members. */
export function OrganisationPage({ id }: { id: string }) {
  const [isInviting, setInviting] = useState(false)
  const query = useApiQuery('GET /api/me')
  const organisation = query.data?.organizations.find(({ organizationId }) => organizationId === id)
  const isActive = organisation?.status === 'active'
  const name = organisation?.name ?? 'Organisation'
  return (
    <>
      <PageHeader
        title={name}
        description={<CopyText text={id} name="organisation identifier" />}
        back={{ to: '/organisations', name: 'Organisations' }}
      >
        {isActive && !organisation.isSuspended && listManagedRoles(organisation.role).length > 0 && (
          <Button onClick={() => setInviting(true)}>Invite member</Button>
        )}
      </PageHeader>
      <Loaded query={query}>
        {({ user }) =>
          isActive ? (
            <Stack>
              {organisation.isSuspended && <SuspensionNote />}
              <MembersSection
                organisation={organisation}
                caller={{ userId: user.id, role: organisation.role }}
              />
            </Stack>
          ) : (
            <EmptyNote
              icon="organisations"
              title="You are not a member"
              description="Only active members can see this organisation. You may be invited, suspended or no longer a member."
            >
              <LinkButton to="/organisations" variant="light">
                Your organisations
              </LinkButton>
            </EmptyNote>
          )
        }
      </Loaded>
      <Modal opened={isInviting} onClose={() => setInviting(false)} title={`Invite to ${revealText(name)}`}>
        {organisation && <InviteMember organisation={organisation} onClose={() => setInviting(false)} />}
      </Modal>
    </>
  )
}

function SuspensionNote() {
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title="This organisation is suspended">
      An operator of this service has suspended it: its API keys are refused, its endpoints admit nobody, and
      nobody can change anything of it. The reason is among{' '}
      <TextLink to="/alerts?show=all">your alerts</TextLink>. <SupportContact />
    </Alert>
  )
}
