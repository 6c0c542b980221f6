<?php
/**
 * Money as whole cents, without floating point.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Reads and writes amounts. */
final class Amount {

	/**
	 * Converts an amount to cents.
	 *
	 * @param mixed $amount Decimal text such as "10.50", or a number. Zero or more.
	 * @return int|null Null if it is no such amount, or not in whole cents.
	 */
	public static function cents( mixed $amount ): ?int {
		$text = is_int( $amount ) || is_float( $amount ) ? (string) $amount : $amount;
		if ( ! is_string( $text ) || 1 !== preg_match( '/^(\d{1,12})(?:\.(\d+))?$/D', trim( $text ), $parts ) ) {
			return null;
		}
		$fraction = rtrim( $parts[2] ?? '', '0' );
		return strlen( $fraction ) > 2 ? null : (int) ( $parts[1] . str_pad( $fraction, 2, '0' ) );
	}

	/**
	 * Decimal text with two decimals.
	 *
	 * @param int $cents Zero or more.
	 */
	public static function text( int $cents ): string {
		return sprintf( '%d.%02d', intdiv( $cents, 100 ), $cents % 100 );
	}
}
