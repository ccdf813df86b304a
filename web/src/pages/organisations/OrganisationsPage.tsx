import { Button, Group, Modal, Paper, Stack, Text, TextInput } from '@mantine/core'
import type { Organization } from '@svc/core/contract/accounts.ts'
import { listManagedRoles } from '@svc/core/memberRole.ts'
import { type FormEvent, useState } from 'react'
import { membershipResources } from '../../api/membershipResources.ts'
import { session } from '../../api/session.ts'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { announce } from '../../parts/announce.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { InviteMember } from './InviteMember.tsx'

/** Lists the organisations and invitations of the account; creates organisations. */
export function OrganisationsPage() {
  const [isCreating, setCreating] = useState(false)
  const [inviting, setInviting] = useState<Organization | null>(null)
  const query = useApiList('GET /api/organizations')
  return (
    <>
      <PageHeader
        title="Organisations"
        description="Every endpoint belongs to an organisation, whose members share its endpoints and API keys."
      >
        <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
          Create organisation
        </Button>
      </PageHeader>
      <Rows
        query={query}
        empty={
          <EmptyNote
            icon="organisations"
            title="No organisation yet"
            description="Create one to register endpoints, or ask the owner of an existing one to invite you."
          />
        }
      >
        {(organisation) => (
          <OrganisationRow
            key={organisation.organizationId}
            organisation={organisation}
            onInvite={() => setInviting(organisation)}
          />
        )}
      </Rows>
      <Modal opened={isCreating} onClose={() => setCreating(false)} title="Create organisation">
        <NewOrganisation onClose={() => setCreating(false)} />
      </Modal>
      <Modal
        opened={inviting !== null}
        onClose={() => setInviting(null)}
        title={`Invite to ${inviting?.name ?? ''}`}
      >
        {inviting && <InviteMember organisation={inviting} onClose={() => setInviting(null)} />}
      </Modal>
    </>
  )
}

function OrganisationRow({ organisation, onInvite }: { organisation: Organization; onInvite: () => void }) {
  const { organizationId, name, role, status, isSuspended } = organisation
  const isManager = status === 'active' && !isSuspended && listManagedRoles(role).length > 0
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <StatusBadge value={status} />
            <StatusBadge value={role} />
            {isSuspended && <StatusBadge value="suspended" prefix="organisation" />}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            <CopyText text={organizationId} name="organisation identifier" />
          </Text>
        </Stack>
        {status === 'active' && (
          <Group gap="xs">
            <LinkButton
              to={`/organisations/${organizationId}`}
              variant="default"
              size="xs"
              aria-label={`Members of ${name}`}
            >
              Members
            </LinkButton>
            {isManager && (
              <Button variant="light" size="xs" onClick={onInvite} aria-label={`Invite member to ${name}`}>
                Invite member
              </Button>
            )}
          </Group>
        )}
        {status === 'invited' && <Invitation organizationId={organizationId} />}
      </Group>
    </Paper>
  )
}

function Invitation({ organizationId }: { organizationId: string }) {
  const accept = useApiMutation('PATCH /api/organizations/:id/members/:userId', {
    invalidates: membershipResources,
    onDone: () => announce('You have joined the organisation'),
  })
  const decline = useApiMutation('DELETE /api/organizations/:id/members/:userId', {
    invalidates: membershipResources,
    says: 'Declined',
  })
  const state = session.read()
  if (state.status !== 'signedIn') return null
  const params = { id: organizationId, userId: state.user.id }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          size="xs"
          loading={accept.isPending}
          disabled={decline.isPending}
          onClick={() => accept.mutate({ params, body: { status: 'active' } })}
        >
          Accept
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={decline.isPending}
          disabled={accept.isPending}
          onClick={() => decline.mutate({ params })}
        >
          Decline
        </Button>
      </Group>
      <FailureNote error={accept.error ?? decline.error} />
    </Stack>
  )
}

function NewOrganisation({ onClose }: { onClose: () => void }) {
  const change = useApiMutation('POST /api/organizations', {
    invalidates: membershipResources,
    onDone: onClose,
  })
  const faults = readFaults(change.error, { name: 'Name' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { name } = readFields(event.currentTarget, 'name')
    change.mutate({ body: { name } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="name" label="Name" required maxLength={200} data-autofocus error={faults.at.name} />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
