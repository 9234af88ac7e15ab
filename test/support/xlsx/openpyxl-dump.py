"""Prints the sheets of the workbook at argv[1] as JSON, in the shape that openpyxl.ts reads."""

import json
import sys
import warnings

import openpyxl

# What openpyxl only warns of, a style that it does not know or an extension that it drops, is an error of the file.
warnings.simplefilter("error")


def plain(value):
    return value.isoformat() if hasattr(value, "isoformat") else value


def dump_cell(cell):
    return {
        "value": plain(cell.value),
        "dataType": cell.data_type,
        "numberFormat": cell.number_format,
        "isBold": bool(cell.font.b),
    }


def dump_sheet(sheet):
    return {
        "name": sheet.title,
        "freezePanes": sheet.freeze_panes,
        "autoFilter": sheet.auto_filter.ref,
        "dimensions": sheet.dimensions,
        "printTitles": sheet.print_title_rows,
        "orientation": sheet.page_setup.orientation,
        "fit": [
            bool(sheet.sheet_properties.pageSetUpPr and sheet.sheet_properties.pageSetUpPr.fitToPage),
            sheet.page_setup.fitToWidth,
            sheet.page_setup.fitToHeight,
        ],
        "columnWidths": {key: column.width for key, column in sheet.column_dimensions.items()},
        "rows": [[dump_cell(cell) for cell in row] for row in sheet.iter_rows()],
    }


workbook = openpyxl.load_workbook(sys.argv[1])
json.dump([dump_sheet(sheet) for sheet in workbook.worksheets], sys.stdout)
