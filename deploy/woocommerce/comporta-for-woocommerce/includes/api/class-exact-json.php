<?php
/**
 * JSON with numbers as text, because json_decode makes floats.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Reads JSON. */
final class Exact_Json {

	private const STRING_OR_NUMBER = '/"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/s';
	private const DEPTH_MAX        = 32;

	/**
	 * Parses a text; each number stays text.
	 *
	 * @return array<mixed>|null Null for anything else.
	 */
	public static function decode( string $text ): ?array {
		$quoted = preg_replace_callback(
			self::STRING_OR_NUMBER,
			static fn( array $found ): string => '"' === $found[0][0] ? $found[0] : '"' . $found[0] . '"',
			$text
		);
		$value  = json_decode( $quoted ?? '', true, self::DEPTH_MAX );
		return is_array( $value ) ? $value : null;
	}
}
