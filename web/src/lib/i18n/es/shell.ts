import type { Translated } from '../catalogue.ts';
import type { shell as english } from '../en/shell.ts';

export const shell: Translated<typeof english> = {
  skipToContent: 'Ir al contenido',
  mainNavigation: 'Navegación principal',
  dashboard: 'Panel',
  dashboards: 'Paneles',
  compare: 'Comparar',
  report: 'Informe de energía',
  measurements: 'Mediciones',
  sites: 'Sedes',
  customers: 'Clientes',
  settings: 'Ajustes',
  fleetAdmin: 'Flota',
  userMenu: 'Cuenta y preferencias',
  profile: 'Perfil',
  password: 'Cambiar contraseña',
  appearance: 'Aspecto',
  light: 'Claro',
  dark: 'Oscuro',
  auto: 'Sistema',
  language: 'Idioma',
  signOut: 'Cerrar sesión',
  signOutFailed: 'No se ha podido cerrar la sesión.',
  connectionLost: 'Se ha perdido la conexión con el portal. Reconectando …',
  homeOf: 'Página de inicio de {name}',
};
