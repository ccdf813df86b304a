import { ActionIcon, Alert, Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IDENTITY_PROOFS } from '@svc/core/access/identityProof.ts'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import { useState } from 'react'
import { useRefetch } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Icon } from '../../parts/Icon.tsx'
import { isSameJson } from '../../parts/isSameJson.ts'
import { Section } from '../../parts/Section.tsx'
import { ACCESS_NAMES } from '../../parts/words/accessWords.ts'
import { nameProof } from '../../parts/words/proofWords.ts'
import { useEndpointChange } from './useEndpointChange.ts'

type Route = Endpoint['routes'][number]

const METHODS = ['*', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const LEVELS = Object.keys(ACCESS_NAMES) as Route['minAccessLevel'][]

/** The edited routes, and the stored routes they are based on. */
type Draft = { routes: readonly Route[]; base: readonly Route[] }

/**
 * Edits what each path requires of a request, which gateways of the client library enforce. Spec: Client library contract.
 *
 * Saving replaces all routes. They are therefore refetched first, and a concurrent change is shown before anything is
 * saved: no one should silently undo a colleague's restriction.
 */
export function RoutesSection({ endpoint, isReadOnly }: { endpoint: Endpoint; isReadOnly: boolean }) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const id = endpoint.svceId ?? endpoint.id
  const refetch = useRefetch('GET /api/endpoints/:id', { params: { id } })
  const change = useEndpointChange(id, () => setDraft(null))
  const routes = draft?.routes ?? endpoint.routes
  const isChanged = !isSameJson(routes, endpoint.routes)
  useLeaveGuard(isChanged)
  const isOutdated = draft !== null && isChanged && !isSameJson(draft.base, endpoint.routes)
  const setRoutes = (next: readonly Route[]) => setDraft({ base: endpoint.routes, ...draft, routes: next })
  const save = async () => {
    const latest = (await refetch())?.endpoint ?? endpoint
    if (isSameJson(latest.routes, endpoint.routes)) {
      change.mutate({ params: { id }, body: { routes: [...routes] } })
    }
  }
  const isValid = routes.every(({ pattern }) => findError(pattern) === null)
  const set = (at: number, fields: Partial<Route>) =>
    setRoutes(routes.map((route, index) => (index === at ? { ...route, ...fields } : route)))
  return (
    <Section
      title="Routes"
      description="The minimum access level and identity proof for each path, enforced by gateways of the client library. A request must satisfy every route it matches."
    >
      {routes.length === 0 && <Text c="dimmed">No routes: the recommendation alone decides.</Text>}
      <Stack gap="xs">
        {routes.map((route, at) => (
          <RouteRow
            // biome-ignore lint/suspicious/noArrayIndexKey: routes have no id, and their order changes only by removal
            key={at}
            {...{ route, at, isReadOnly }}
            onChange={(fields) => set(at, fields)}
            onRemove={() => setRoutes(routes.filter((_, index) => index !== at))}
          />
        ))}
      </Stack>
      <FailureNote error={change.error} />
      {isOutdated && (
        <Alert
          color="orange"
          icon={<Icon name="warning" />}
          title="Someone has changed the routes in the meantime"
        >
          They are now: {endpoint.routes.map(describeRoute).join('; ') || 'none'}. Saving replaces them with
          yours; discard yours to see them.
        </Alert>
      )}
      {!isReadOnly && (
        <Group>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() =>
              setRoutes([...routes, { pattern: '/**', method: '*', minAccessLevel: 'standard' }])
            }
          >
            Add route
          </Button>
          {isChanged && (
            <>
              <Button loading={change.isPending} disabled={!isValid} onClick={() => void save()}>
                Save routes
              </Button>
              <Button variant="subtle" onClick={() => setDraft(null)}>
                Discard
              </Button>
            </>
          )}
        </Group>
      )}
    </Section>
  )
}

function describeRoute({ method = '*', pattern, minAccessLevel, minIdentityProof = 'none' }: Route): string {
  const proof = minIdentityProof === 'none' ? '' : `; proof: ${nameProof(minIdentityProof)?.toLowerCase()}`
  const level =
    minAccessLevel === 'none' ? 'no access level' : `${ACCESS_NAMES[minAccessLevel].toLowerCase()} access`
  return `${method === '*' ? 'any method' : method} ${pattern} requires ${level}${proof}`
}

type RowProps = {
  route: Route
  at: number
  isReadOnly: boolean
  onChange: (fields: Partial<Route>) => void
  onRemove: () => void
}

function RouteRow({ route, at, isReadOnly, onChange, onRemove }: RowProps) {
  const number = at + 1
  return (
    <Paper withBorder p="xs" component="fieldset" aria-label={`Route ${number}`} m={0} disabled={isReadOnly}>
      <Group gap="xs" align="flex-start">
        <NativeSelect
          aria-label={`Method of route ${number}`}
          data={METHODS.map((value) => ({ value, label: value === '*' ? 'Any method' : value }))}
          value={route.method ?? '*'}
          onChange={(event) => onChange({ method: event.currentTarget.value })}
          w={150}
        />
        <TextInput
          aria-label={`Pattern of route ${number}`}
          value={route.pattern}
          error={findError(route.pattern)}
          onChange={(event) => onChange({ pattern: event.currentTarget.value })}
          style={{ flex: '1 1 160px' }}
          ff="monospace"
        />
        <NativeSelect
          aria-label={`Minimum access level of route ${number}`}
          data={LEVELS.map((value) => ({ value, label: ACCESS_NAMES[value] }))}
          value={route.minAccessLevel}
          onChange={({ currentTarget }) =>
            onChange({ minAccessLevel: LEVELS.find((level) => level === currentTarget.value) ?? 'standard' })
          }
          w={150}
        />
        <NativeSelect
          aria-label={`Minimum identity proof of route ${number}`}
          data={IDENTITY_PROOFS.map((value) => ({ value, label: nameProof(value) ?? value }))}
          value={route.minIdentityProof ?? 'none'}
          onChange={({ currentTarget }) => {
            const proof = IDENTITY_PROOFS.find((one) => one === currentTarget.value)
            onChange({ minIdentityProof: proof === 'none' ? undefined : proof })
          }}
          w={130}
        />
        {!isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            onClick={onRemove}
            aria-label={`Remove route ${number}`}
          >
            <Icon name="cross" size={16} />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  )
}

function findError(pattern: string): string | null {
  const parsed = parseGlob(pattern)
  return parsed.ok ? null : `This glob ${parsed.problem}.`
}
