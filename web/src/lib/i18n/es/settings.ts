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
    history: 'Historial por archivo',
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
    emailHint: 'Solo un administrador puede cambiar su correo.',
    emailHintAdmin: 'Puede cambiarlo en Ajustes → Usuarios.',
    roles: 'Roles',
    saved: 'Su perfil se ha guardado.',
    nameMissing: 'Introduzca un nombre visible.',
    nameTooLong: 'El nombre visible puede tener 200 caracteres como máximo.',
  },
  password: {
    description: 'Sus demás sesiones terminan cuando la cambia.',
    current: 'Contraseña actual',
    new: 'Contraseña nueva',
    repeat: 'Repetir la contraseña nueva',
    saved: 'Su contraseña se ha cambiado.',
    currentMissing: 'Introduzca su contraseña actual.',
    newMissing: 'Introduzca una contraseña nueva.',
    differs: 'Las dos contraseñas no coinciden.',
    rulesNotMet: 'La contraseña nueva aún no cumple todas las reglas.',
  },
  sessions: {
    title: 'Sesiones',
    description: 'Dónde tiene sesión iniciada. Cierre las que no conozca y cambie después su contraseña.',
    columns: { browser: 'Navegador', source: 'Dirección', signedIn: 'Iniciada', lastUsed: 'Último uso' },
    browserOn: '{browser} en {system}',
    unknownBrowser: 'Navegador desconocido',
    current: 'Esta',
    end: 'Cerrar',
    endAll: 'Cerrar todas las demás',
    ended: 'La sesión se ha cerrado.',
    endedAll: 'Todas las demás sesiones se han cerrado.',
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
