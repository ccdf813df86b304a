import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import { Component, type ReactNode, Suspense } from 'react'
import { Icon } from '../parts/Icon.tsx'

type Props = { children: ReactNode }

/**
 * Holds a page: its outline while its code is loaded, and a way on when it cannot be loaded or breaks.
 *
 * Each version of the dashboard has files of its own, so a tab that is older than the service may miss some.
 */
export class PageFrame extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render(): ReactNode {
    if (this.state.isBroken) return <Broken />
    return <Suspense fallback={<Outline />}>{this.props.children}</Suspense>
  }
}

function Outline() {
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      <Skeleton height={36} width="40%" mb="md" />
      <Skeleton height={64} />
      <Skeleton height={64} />
    </Stack>
  )
}

function Broken() {
  return (
    <Alert color="red" icon={<Icon name="warning" />} title="This page cannot be shown" role="alert">
      <Stack gap="sm" align="flex-start">
        Its code could not be loaded, or it failed. The service may have a new version of the dashboard.
        <Button size="xs" onClick={() => window.location.reload()}>
          Load it anew
        </Button>
      </Stack>
    </Alert>
  )
}
