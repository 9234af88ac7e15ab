import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Ajustes con los que se inició el portal, del entorno o del archivo .env. Los cambios valen tras reiniciar.',
  search: 'Buscar ajustes',
  columns: { name: 'Ajuste', value: 'Valor', source: 'Origen' },
  sources: {
    environment: 'Entorno',
    file: 'Archivo .env',
    secretFile: 'Archivo secreto',
    default: 'Por defecto',
    database: 'Detectado',
  },
  secretSet: 'Definido (oculto)',
  notSet: 'Sin definir',
  empty: 'Vacío',
  warnings: {
    plainHttp:
      'Sin cifrar: contraseñas y sesiones viajan como texto legible. Use un proxy con TLS e indique su dirección https.',
  },
  count: '{count, plural, one {# ajuste} other {# ajustes}}',
  nothingTitle: 'Ningún ajuste coincide',
  nothingText: 'Pruebe otra búsqueda.',
};
