import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { ActionButton } from './parts/ActionButton.tsx'
import classes from './theme.module.css'

/** The theme of the dashboard, with system fonts so that nothing is fetched from third parties. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Not by `Modal.extend`, which would load every component with the first page.
    Paper: { classNames: { root: classes.paper } },
    Modal: {
      // The header of a dialog is not that of the page.
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: { header: { role: 'presentation' } },
      },
      classNames: { header: classes.modalHeader, title: classes.modalTitle },
    },
    Alert: { classNames: { root: classes.alert } },
    Button: { defaultProps: { component: ActionButton }, classNames: { label: classes.buttonLabel } },
  },
})

/** Darker text on light tints: Mantine's own shades fall below 4.5:1 there (orange 3.6, teal 4.3, hovered indigo 4.1). */
const darkerOnLight = Object.fromEntries(
  ['orange', 'teal', 'red', 'blue', 'indigo'].map((color) => [
    `--mantine-color-${color}-light-color`,
    `color-mix(in srgb, var(--mantine-color-${color}-9) 75%, black)`,
  ]),
)

/**
 * Colours of the light and dark schemes that differ from Mantine's.
 *
 * Mantine's dimmed text and its errors fall below the 4.5:1 contrast that small text needs (WCAG 2.2, 1.4.3).
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-body': '#f7f8fa',
    '--svc-surface': '#ffffff',
    '--svc-surface-hover': '#f1f3f8',
    '--svc-code': '#f4f5f8',
    ...darkerOnLight,
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-body': '#14161a',
    '--svc-surface': '#1d2027',
    '--svc-surface-hover': '#262a33',
    '--svc-code': '#14161a',
  },
})
