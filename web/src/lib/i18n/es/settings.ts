import type { Translated } from '../message-types.ts';
import type { settings as english } from '../en/settings.ts';
import { settingsApiKeys } from './settings-api-keys.ts';
import { settingsAudit } from './settings-audit.ts';
import { settingsBranding } from './settings-branding.ts';
import { settingsConfiguration } from './settings-configuration.ts';
import { settingsDashboards } from './settings-dashboards.ts';
import { settingsFleetPush } from './settings-fleet-push.ts';
import { settingsHistory } from './settings-history.ts';
import { settingsIncoming } from './settings-incoming.ts';
import { settingsUsers } from './settings-users.ts';

export const settings: Translated<typeof english> = {
  sections: {
    label: 'Secciones de ajustes',
    profile: 'Perfil',
    password: 'Contraseña',
    rates: 'Tarifas',
    branding: 'Imagen de marca',
    users: 'Usuarios',
    apiKeys: 'Claves de API',
    incoming: 'Llegadas',
    history: 'Importar historial',
    fleetPush: 'Envío a la flota',
    dashboards: 'Paneles integrados',
    configuration: 'Configuración',
    audit: 'Registro de auditoría',
    personal: 'Su cuenta',
    energy: 'Energía',
    administration: 'Administración',
  },
  roles: { Admin: 'Administrador', RestrictedAdmin: 'Administrador restringido', none: 'Usuario' },
  profile: {
    description: 'Cómo le ven los demás en este portal.',
    displayName: 'Nombre visible',
    email: 'Correo',
    emailHint: 'Solo un administrador puede cambiarlo.',
    emailHintAdmin: 'Cámbielo en Ajustes → Usuarios.',
    roles: 'Roles',
    saved: 'Perfil guardado',
    nameMissing: 'Introduzca un nombre visible.',
    nameTooLong: 'Máximo 200 caracteres.',
  },
  password: {
    description: 'Cambiarla cierra sus demás sesiones.',
    current: 'Contraseña actual',
    new: 'Contraseña nueva',
    repeat: 'Repetir la contraseña nueva',
    saved: 'Contraseña cambiada',
    currentMissing: 'Introduzca su contraseña actual.',
    newMissing: 'Introduzca una contraseña nueva.',
    differs: 'Las contraseñas no coinciden.',
    rulesNotMet: 'La contraseña nueva aún no cumple todas las reglas.',
  },
  sessions: {
    title: 'Sesiones',
    description: 'Si no reconoce una sesión, ciérrela y cambie su contraseña.',
    columns: { browser: 'Navegador', source: 'Dirección IP', signedIn: 'Iniciada', lastUsed: 'Último uso' },
    browserOn: '{browser} en {system}',
    unknownBrowser: 'Navegador desconocido',
    current: 'Este dispositivo',
    end: 'Cerrar',
    endAll: 'Cerrar todas las demás',
    ended: 'Sesión cerrada',
    endedAll: 'Todas las demás sesiones cerradas',
  },
  branding: settingsBranding,
  users: settingsUsers,
  apiKeys: settingsApiKeys,
  history: settingsHistory,
  incoming: settingsIncoming,
  dashboards: settingsDashboards,
  configuration: settingsConfiguration,
  fleetPush: settingsFleetPush,
  audit: settingsAudit,
};
