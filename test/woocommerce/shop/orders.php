<?php
/**
 * Orders and refunds as in WooCommerce: an object keeps its read data, and saving writes its changes.
 */

declare(strict_types=1);

abstract class Shop_Record {

	protected array $props = array();
	protected array $meta  = array();
	/** @var array<string,true> */
	private array $changed = array();

	public function __construct( protected int $id = 0 ) {
		foreach ( Shop_Store::rows( 'select name, value from props where id = ?', $id ) as $row ) {
			$this->props[ $row['name'] ] = $row['value'];
		}
		$this->read_meta_data();
	}

	public function read_meta_data( bool $force = false ): void {
		$this->meta = array();
		foreach ( Shop_Store::rows( 'select name, value from meta where id = ?', $this->id ) as $row ) {
			$this->meta[ $row['name'] ] = unserialize( $row['value'] );
		}
	}

	/** `get_…` and `set_…` of every property that has no method of its own. */
	public function __call( string $method, array $values ) {
		$name = substr( $method, 4 );
		if ( str_starts_with( $method, 'set_' ) ) {
			$this->props[ $name ]   = (string) $values[0];
			$this->changed[ $name ] = true;
			return null;
		}
		return $this->props[ $name ] ?? '';
	}

	public function get_id(): int {
		return $this->id;
	}

	public function get_meta( string $name ) {
		return $this->meta[ $name ] ?? '';
	}

	public function update_meta_data( string $name, $value ): void {
		$this->meta[ $name ]              = $value;
		$this->changed[ "meta:$name" ] = true;
	}

	public function save(): int {
		if ( 0 === $this->id ) {
			$this->id = Shop_Store::insert( 'insert into orders (parent) values (?)', (int) ( $this->props['parent_id'] ?? 0 ) );
		}
		foreach ( array_keys( $this->changed ) as $name ) {
			str_starts_with( $name, 'meta:' )
				? Shop_Store::rows( 'insert or replace into meta values (?, ?, ?)', $this->id, substr( $name, 5 ), serialize( $this->meta[ substr( $name, 5 ) ] ) )
				: Shop_Store::rows( 'insert or replace into props values (?, ?, ?)', $this->id, $name, $this->props[ $name ] );
		}
		$this->changed = array();
		return $this->id;
	}

	public function delete( bool $force = false ): void {
		foreach ( array( 'orders', 'props', 'meta' ) as $table ) {
			Shop_Store::rows( "delete from $table where id = ?", $this->id );
		}
	}
}

final class WC_Order_Refund extends Shop_Record {
	public function get_refunded_payment(): bool {
		return '1' === ( $this->props['refunded_payment'] ?? '' );
	}
}

final class Shop_Item {
	public function __construct( private string $name, private int|float $quantity ) {}
	public function get_name(): string {
		return $this->name;
	}
	public function get_quantity(): int|float {
		return $this->quantity;
	}
}

final class WC_Order extends Shop_Record {

	/** @var array{from: string, to: string, note: string}|null */
	private ?array $transition = null;

	public function get_order_number(): string {
		return (string) ( 1000 + $this->id );
	}

	/** @return array<int,Shop_Item> */
	public function get_items(): array {
		return array( 7 => new Shop_Item( '<b>Coffee</b>', 2 ), 9 => new Shop_Item( 'Sugar, by the kilo', 0.5 ) );
	}

	public function has_status( $wanted ): bool {
		return in_array( $this->get_status(), (array) $wanted, true );
	}

	public function is_paid(): bool {
		return $this->has_status( array( 'processing', 'completed' ) );
	}

	public function set_status( string $to, string $note = '' ): void {
		$from = $this->get_status();
		if ( '' !== $from && $from !== $to ) {
			$this->transition = array( 'from' => $from, 'to' => $to, 'note' => $note );
		}
		$this->__call( 'set_status', array( $to ) );
	}

	public function update_status( string $to, string $note = '' ): void {
		$this->set_status( $to, $note );
		$this->save();
	}

	public function payment_complete( string $transaction ): bool {
		if ( $this->has_status( array( 'on-hold', 'pending', 'failed', 'cancelled' ) ) ) {
			$this->set_transaction_id( $transaction );
			$this->set_status( 'processing' );
			$this->save();
			Shop_Store::log( 'paid', "{$this->id} $transaction" );
		}
		return true;
	}

	public function save(): int {
		$id               = parent::save();
		$transition       = $this->transition;
		$this->transition = null;
		if ( null !== $transition ) {
			$this->add_order_note( trim( "{$transition['note']} Order status changed from {$transition['from']} to {$transition['to']}." ) );
			do_action( "woocommerce_order_status_{$transition['to']}", $id, $this );
		}
		return $id;
	}

	public function add_order_note( string $note ): void {
		Shop_Store::rows( 'insert into notes values (?, ?)', $this->id, $note );
	}

	/** @return array<int,WC_Order_Refund> */
	public function get_refunds(): array {
		return array_map( static fn( $row ) => new WC_Order_Refund( $row['id'] ), Shop_Store::rows( 'select id from orders where parent = ? order by id', $this->id ) );
	}

	public function get_total_refunded(): string {
		return bcadd_all( array_map( static fn( $refund ) => $refund->get_amount(), $this->get_refunds() ) );
	}

	public function get_checkout_order_received_url(): string {
		return site_url( "/order-received/{$this->id}?key={$this->get_order_key()}" );
	}

	public function get_checkout_payment_url(): string {
		return site_url( "/order-pay/{$this->id}?key={$this->get_order_key()}" );
	}
}

/** The sum of decimal texts, with two decimals. */
function bcadd_all( array $amounts ): string {
	$cents = array_sum( array_map( static fn( $amount ) => (int) round( (float) $amount * 100 ), $amounts ) );
	return sprintf( '%d.%02d', intdiv( $cents, 100 ), $cents % 100 );
}

function wc_get_order( $id ) {
	$exists = array() !== Shop_Store::rows( 'select id from orders where id = ? and parent = 0', (int) $id );
	return $exists ? new WC_Order( (int) $id ) : false;
}

/** As WooCommerce does it: the refund is stored, then the gateway is asked, and a refund that it refuses is deleted. */
function wc_create_refund( array $asked ) {
	$order = wc_get_order( $asked['order_id'] );
	if ( (float) $asked['amount'] > round( (float) $order->get_total() - (float) $order->get_total_refunded(), 2 ) ) {
		return new WP_Error( 'error', 'Invalid refund amount.' );
	}
	$refund = new WC_Order_Refund();
	$refund->set_parent_id( $asked['order_id'] );
	$refund->set_amount( $asked['amount'] );
	$refund->set_reason( $asked['reason'] );
	do_action( 'woocommerce_create_refund', $refund, $asked );
	$refund->save();
	if ( $asked['refund_payment'] ) {
		$result = shop_gateway()->process_refund( $order->get_id(), $refund->get_amount(), $refund->get_reason() );
		if ( true !== $result ) {
			$refund->delete();
			return is_wp_error( $result ) ? $result : new WP_Error( 'error', 'The gateway refused.' );
		}
		$refund->set_refunded_payment( true );
		$refund->save();
	}
	if ( (float) wc_get_order( $asked['order_id'] )->get_total_refunded() >= (float) $order->get_total() ) {
		$order->update_status( 'refunded' );
	}
	return $refund;
}
