<?php
/**
 * Body of a checkout for an order.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use WC_Order;

defined( 'ABSPATH' ) || exit;

/** Makes the body of `POST /api/v2/checkout`. */
final class Checkout_Body {

	/** The only currency of the gateway. */
	public const CURRENCY = 'EUR';

	private const ITEMS_MAX = 50;

	/**
	 * The body, without its `request_id`. The same order gives the same body.
	 *
	 * @throws \DomainException If the gateway does not support the order, with a text for the shop manager.
	 * @return array<string,mixed>
	 */
	public static function of( WC_Order $order ): array {
		$cents = Amount::cents( $order->get_total() );
		if ( self::CURRENCY !== $order->get_currency() ) {
			/* translators: 1: currency of the order, 2: the currency that is supported */
			throw new \DomainException( sprintf( __( 'The order is in %1$s. Comporta accepts only %2$s.', 'comporta-for-woocommerce' ), $order->get_currency(), self::CURRENCY ) );
		}
		if ( null === $cents || 0 === $cents ) {
			/* translators: %s: the total of the order */
			throw new \DomainException( sprintf( __( 'The total %s must be above zero and in whole cents. Set two decimals in the currency options of WooCommerce.', 'comporta-for-woocommerce' ), (string) $order->get_total() ) );
		}
		$back = add_query_arg(
			array(
				'order' => $order->get_id(),
				'key'   => $order->get_order_key(),
			),
			WC()->api_request_url( 'comporta_return' )
		);
		return array(
			'payment'     => array(
				'amount'        => Amount::text( $cents ),
				'currency'      => self::CURRENCY,
				'ext_invoiceid' => self::cut( (string) $order->get_order_number(), 45 ),
				// Callbacks find the order by this id, because its visible number can differ.
				'notes'         => Operations::NOTE . $order->get_id(),
				'client'        => self::client( $order ),
				'items'         => self::items( $order ),
			) + self::references( $order ),
			'url_confirm' => $back,
			'url_cancel'  => $back,
		);
	}

	/**
	 * Known data of the customer, without the address.
	 *
	 * @return array<string,string>
	 */
	private static function client( WC_Order $order ): array {
		$client = array(
			'name'  => self::cut( trim( $order->get_billing_first_name() . ' ' . $order->get_billing_last_name() ), 255 ),
			'email' => self::cut( (string) $order->get_billing_email(), 255 ),
			'phone' => self::cut( (string) $order->get_billing_phone(), 255 ),
		);
		return array_filter( $client, static fn( string $text ): bool => '' !== $text );
	}

	/**
	 * Items that the customer recognises.
	 *
	 * @return array<int,array<string,mixed>>
	 */
	private static function items( WC_Order $order ): array {
		$items = array();
		foreach ( array_slice( array_values( $order->get_items() ), 0, self::ITEMS_MAX ) as $item ) {
			$quantity = $item->get_quantity();
			$items[]  = array( 'name' => self::cut( wp_strip_all_tags( (string) $item->get_name() ), 200 ) )
				+ ( (string) (int) $quantity === (string) $quantity ? array( 'qt' => (int) $quantity ) : array() );
		}
		return $items;
	}

	/**
	 * References of the customer in the shop.
	 *
	 * @return array<string,string>
	 */
	private static function references( WC_Order $order ): array {
		$email    = (string) $order->get_billing_email();
		$customer = (int) $order->get_customer_id();
		return ( '' !== $email && strlen( $email ) <= 100 ? array( 'ext_email' => $email ) : array() )
			+ ( $customer > 0 ? array( 'ext_customerid' => (string) $customer ) : array() );
	}

	/** Shortens a text. */
	private static function cut( string $text, int $length ): string {
		return mb_substr( $text, 0, $length );
	}
}
